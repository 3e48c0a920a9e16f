/** Text of an answer as Markdown, each block drawn once. HTML in it stays text, pictures are not fetched. */

import { type ComponentProps, memo, useMemo } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { blocksOf } from './blocks'
import { CitationNumber } from './citation'
import { CITE, citationMarkers, safeAddress, targetOf } from './markers'
import { useWays } from './ways'

const PLUGINS = [remarkGfm, citationMarkers]

function Anchor({ href = '', children }: ComponentProps<'a'>) {
  const ways = useWays()
  if (href.startsWith(CITE)) return <CitationNumber n={Number(href.slice(CITE.length))} />
  const target = targetOf(href)
  if (!target && !/^(https?|mailto):/i.test(href)) return <span>{children}</span>
  return (
    <a
      href={target ? `/read/${encodeURIComponent(target.document)}?at=${target.start}&end=${target.end}` : href}
      rel="noopener noreferrer"
      className="text-accent underline underline-offset-2"
      onClick={event => {
        event.preventDefault()
        if (target) ways.go(target)
        else ways.external(href)
      }}
    >
      {children}
    </a>
  )
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <Anchor {...(href === undefined ? {} : { href })}>{children}</Anchor>,
  img: ({ alt }) => <span className="text-muted">[{alt}]</span>,
  input: ({ checked }) => <span aria-hidden>{checked ? '☑ ' : '☐ '}</span>,
  table: ({ children }) => (
    <div className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
}

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <Markdown remarkPlugins={PLUGINS} urlTransform={safeAddress} components={COMPONENTS}>
      {text}
    </Markdown>
  )
})

export function AnswerText({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text])
  return (
    <div className="chat-prose">
      {blocks.map((block, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end
        <Block key={n} text={block} />
      ))}
    </div>
  )
}
