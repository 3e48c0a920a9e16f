import { useState } from 'react'
import { send } from '../api/client'
import type { DocumentShown } from '../api/types'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field } from '../ui/field'
import { Failed } from '../ui/states'
import { refresh } from './deeds'

/** What a person may correct of a document. */
export default function Metadata({ shown, onClose }: { shown: DocumentShown; onClose(): void }) {
  const t = useText()
  const { metadata } = shown
  const [given, setGiven] = useState({
    title: metadata.title,
    authors: metadata.authors.join('; '),
    language: metadata.language ?? '',
    published: metadata.published ?? '',
  })
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const authors = given.authors
      .split(/[;；]/)
      .map(name => name.trim())
      .filter(Boolean)
    const rest = Object.fromEntries(
      (['title', 'language', 'published'] as const)
        .map(name => [name, given[name].trim()])
        .filter(([, value]) => value),
    )
    try {
      await send('PATCH', `/api/documents/${encodeURIComponent(shown.id)}`, { ...rest, authors })
      await refresh(shown.id)
      onClose()
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  const field = (name: keyof typeof given, label: string, hint?: string) => (
    <Field
      label={label}
      hint={hint}
      value={given[name]}
      required={name === 'title'}
      onChange={event => setGiven({ ...given, [name]: event.target.value })}
    />
  )
  return (
    <Dialog open onClose={onClose} title={t('doc.edit')}>
      <form
        className="grid gap-4"
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        {field('title', t('doc.title'))}
        {field('authors', t('doc.authors'), t('doc.authorsHint'))}
        {field('language', t('doc.language'), t('doc.languageHint'))}
        {field('published', t('doc.publishedLabel'))}
        {error !== null && <Failed error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={busy || !given.title.trim()}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
