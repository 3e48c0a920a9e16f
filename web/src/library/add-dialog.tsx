import { useQuery } from '@tanstack/react-query'
import { FileUp, FolderUp } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { collections } from '../api/queries'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field } from '../ui/field'
import { Failed } from '../ui/states'
import { addFiles, addPath } from './adding'
import { readable } from './dropped'

const ACCEPT = '.epub,.pdf,.docx,.fb2,.html,.htm,.xhtml,.md,.markdown,.mkd,.txt,.text'

export default function AddDialog({ onClose }: { onClose(): void }) {
  const t = useText()
  const known = useQuery(collections())
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [path, setPath] = useState('')
  const [collection, setCollection] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const chosen = (event: ChangeEvent<HTMLInputElement>, all: boolean) => {
    const list = [...(event.target.files ?? [])]
    const taken = all ? list : readable(list)
    if (taken.length) addFiles(taken, collection.trim())
    else setError(new Error(t('add.nothing')))
  }
  const fetchIt = async () => {
    setBusy(true)
    try {
      await addPath(path.trim(), collection.trim())
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  return (
    <Dialog open onClose={onClose} title={t('add.title')}>
      <div className="grid gap-5">
        <div className="grid gap-3 rounded-xl bg-sunken p-6 text-center">
          <p className="text-sm text-muted">{t('add.formats')}</p>
          <div className="flex flex-wrap justify-center gap-2">
            <Button kind="primary" className="min-h-10!" onClick={() => files.current?.click()}>
              <FileUp size={16} aria-hidden /> {t('add.files')}
            </Button>
            <Button className="min-h-10! max-sm:hidden" onClick={() => folder.current?.click()}>
              <FolderUp size={16} aria-hidden /> {t('add.folder')}
            </Button>
          </div>
          <p className="text-sm text-muted max-sm:hidden">{t('add.orDrop')}</p>
          <input
            ref={files}
            type="file"
            multiple
            accept={ACCEPT}
            hidden
            data-testid="add-files"
            onChange={event => chosen(event, true)}
          />
          <input
            ref={folder}
            type="file"
            multiple
            hidden
            {...{ webkitdirectory: '' }}
            onChange={event => chosen(event, false)}
          />
        </div>
        <form
          className="flex items-end gap-2"
          onSubmit={event => {
            event.preventDefault()
            if (path.trim()) void fetchIt()
          }}
        >
          <div className="min-w-0 flex-1">
            <Field
              label={t('add.path')}
              placeholder="https://…"
              value={path}
              onChange={event => setPath(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          <Button type="submit" disabled={!path.trim() || busy}>
            {t('add.fetch')}
          </Button>
        </form>
        <div>
          <Field
            label={t('add.collection')}
            hint={t('add.collectionHint')}
            value={collection}
            list="collections-known"
            onChange={event => setCollection(event.target.value)}
          />
          <datalist id="collections-known">
            {known.data?.collections.map(one => (
              <option key={one.name} value={one.name} />
            ))}
          </datalist>
        </div>
        {error !== null && <Failed error={error} />}
      </div>
    </Dialog>
  )
}
