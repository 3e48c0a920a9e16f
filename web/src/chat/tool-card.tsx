/** What the assistant looked up or did: in plain words, with its state; what it asked for and got on demand. */

import { Check, CircleSlash, LoaderCircle, Pencil, X } from 'lucide-react'
import { memo } from 'react'
import { type Translate, useText } from '../i18n'
import { chat } from '../i18n/en/chat'
import { Fold } from './fold'
import type { ToolPart, ToolState } from './message'

const PREVIEW = 4_000 // characters of a result that are drawn
const ICONS: Record<ToolState, { Icon: typeof Check; look: string }> = {
  pending: { Icon: Pencil, look: 'text-muted' },
  running: { Icon: LoaderCircle, look: 'animate-spin text-muted' },
  completed: { Icon: Check, look: 'text-good' },
  failed: { Icon: X, look: 'text-bad' },
  stopped: { Icon: CircleSlash, look: 'text-warn' },
}

/** Return what a tool does in plain words; one that this version does not know goes by its own name. */
export function toolInWords(name: string, t: Translate): string {
  const key = `chat.tool.${name}`
  return key in chat ? t(key as keyof typeof chat) : name.replaceAll('_', ' ')
}

export function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Return the argument that says most in a line. */
function gist(args: Record<string, unknown>): string {
  const text = Object.values(args).find(value => typeof value === 'string')
  return typeof text === 'string' ? `“${text}”` : Object.values(args).map(inWords).join(', ')
}

export const ToolCard = memo(function ToolCard({ part }: { part: ToolPart }) {
  const t = useText()
  const { Icon, look } = ICONS[part.state]
  const more = part.result === null ? 0 : part.result.length - PREVIEW
  const head = (
    <span className="flex min-w-0 flex-1 items-center gap-2">
      <Icon size={14} aria-hidden className={`shrink-0 ${look}`} />
      <span className="shrink-0">{toolInWords(part.name, t)}</span>
      <span className="min-w-0 truncate">{gist(part.args)}</span>
      <span className="ml-auto shrink-0 pl-2 text-xs tabular-nums">
        {part.state === 'completed' && part.seconds !== null ? (
          t('chat.seconds', { n: part.seconds.toFixed(1) })
        ) : (
          <span className={part.state === 'failed' ? 'text-bad' : ''}>{t(`chat.state.${part.state}`)}</span>
        )}
        <span className="sr-only">{part.state === 'completed' ? t('chat.state.completed') : ''}</span>
      </span>
    </span>
  )
  return (
    <Fold head={head} data-testid="tool-card" data-state={part.state} data-tool={part.name}>
      <div className="mb-2 grid gap-2 rounded-lg bg-sunken p-3 text-sm">
        <p className="text-xs font-medium text-muted">{t('chat.tool.arguments')}</p>
        {Object.keys(part.args).length === 0 && <p>{t('chat.tool.noArguments')}</p>}
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
          {Object.entries(part.args).map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="min-w-0 break-words">{inWords(value)}</dd>
            </div>
          ))}
        </dl>
        {part.result !== null && (
          <>
            <p className="text-xs font-medium text-muted">{t('chat.tool.result')}</p>
            <pre tabIndex={0} className="max-h-72 overflow-auto whitespace-pre-wrap break-words font-sans">
              {part.result.slice(0, PREVIEW)}
              {more > 0 && `\n${t('chat.tool.cut', { n: more })}`}
            </pre>
          </>
        )}
      </div>
    </Fold>
  )
})
