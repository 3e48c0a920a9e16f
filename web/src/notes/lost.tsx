import { useQuery } from '@tanstack/react-query'
import { MapPinOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Locator, Note } from '../api/types'
import type { Selected } from '../book/viewer'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { Failed, Loading } from '../ui/states'
import { attach, remove } from './actions'
import { nearTo } from './queries'

/** The notes whose words are not in the text any more, with ways to say where they stand now. */
export function Lost({
  notes,
  selected,
  onGo,
}: {
  notes: readonly Note[]
  selected: Selected | null
  onGo(locator: Locator): void
}) {
  const t = useText()
  if (!notes.length) return null
  return (
    <section className="mx-3 mt-3 rounded-lg border border-line bg-ground p-3" data-testid="lost-notes">
      <h2 className="flex items-center gap-2 text-sm font-semibold text-warn">
        <MapPinOff size={16} aria-hidden />
        {t('note.lostTitle', { n: notes.length })}
      </h2>
      <p className="pt-1 text-sm text-muted">{t('note.lostWhy')}</p>
      <ul className="divide-y divide-line">
        {notes.map(note => (
          <li key={note.id} className="py-3">
            <LostNote note={note} selected={selected} onGo={onGo} />
          </li>
        ))}
      </ul>
    </section>
  )
}

export function LostNote({
  note,
  selected,
  onGo,
  children,
}: {
  note: Note
  selected: Selected | null
  /** Look at a passage that may be the one. */
  onGo(locator: Locator): void
  /** What else can be done. */
  children?: ReactNode
}) {
  const t = useText()
  const [looking, setLooking] = useState(false)
  const [removing, setRemoving] = useState(false)
  return (
    <div className="grid gap-2">
      <blockquote className="line-clamp-6 font-serif text-[0.95rem] leading-relaxed">{note.quote}</blockquote>
      {note.body && <p className="whitespace-pre-wrap text-sm">{note.body}</p>}
      {removing ? (
        <div role="alertdialog" aria-label={t('note.removeLost')} className="grid gap-2 text-sm">
          <p className="font-medium">{t('note.removeLost')}</p>
          <p className="text-muted">{t('note.removeLostWhy')}</p>
          <div className="flex gap-2">
            <Button kind="danger" onClick={() => void remove(note)}>
              {t('common.remove')}
            </Button>
            <Button kind="quiet" onClick={() => setRemoving(false)}>
              {t('common.cancel')}
            </Button>
          </div>
        </div>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button aria-expanded={looking} onClick={() => setLooking(!looking)}>
            {t('note.find')}
          </Button>
          {selected && <Button onClick={() => void attach(note, selected.span)}>{t('note.attachSelection')}</Button>}
          {children}
          <Button kind="quiet" onClick={() => setRemoving(true)}>
            {t('common.remove')}
          </Button>
        </div>
      )}
      {looking && <Nearby note={note} onGo={onGo} />}
      {looking && !selected && !children && <p className="text-sm text-muted">{t('note.selectFirst')}</p>}
    </div>
  )
}

function Nearby({ note, onGo }: { note: Note; onGo(locator: Locator): void }) {
  const t = useText()
  const { data, error, refetch } = useQuery(nearTo(note.quote ?? '', note.document.id))
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading label={t('note.finding')} />
  if (!data.near.length && !data.about.length) return <p className="text-sm text-muted">{t('note.nothingNear')}</p>
  return (
    <div className="grid gap-2">
      <h3 className="text-xs font-medium text-muted">{t(data.near.length ? 'note.nearby' : 'note.aboutIt')}</h3>
      <ul className="grid gap-2" data-testid="nearby">
        {data.near.map(({ locator, text, score }) => (
          <Passage
            key={`${locator.start} ${locator.end}`}
            text={text}
            said={t('note.alike', { n: Math.round(score * 100) })}
          >
            <Button onClick={() => void attach(note, locator)}>{t('note.attachHere')}</Button>
          </Passage>
        ))}
        {data.about.map(({ locator, text }) => (
          <Passage key={`${locator.start} ${locator.end}`} text={text} said={locator.section?.path.at(-1) ?? ''}>
            <Button onClick={() => onGo(locator)}>{t('note.look')}</Button>
          </Passage>
        ))}
      </ul>
    </div>
  )
}

function Passage({ text, said, children }: { text: string; said: string; children: ReactNode }) {
  return (
    <li className="grid gap-1 rounded-md bg-sunken p-2 text-sm">
      <p className="line-clamp-4 font-serif">{text}</p>
      <div className="flex items-center justify-between gap-2">
        <span className="truncate text-xs text-muted">{said}</span>
        {children}
      </div>
    </li>
  )
}
