/** The conversations of this window, each living on while its view is away; other windows hear what begins here. */

import { Conversation } from './conversation'

const known = new Map<string, Conversation>()
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('glossator-chat')
channel?.addEventListener('message', ({ data }) => {
  // when it cannot be heard now, it is when the window is looked at next
  known
    .get(String(data))
    ?.resume()
    .catch(() => undefined)
})

const beginning = (name: string) => `new:${name}`

/** Return the conversation of a session, or the one that is begun under a name. */
export function conversation(session: string | null, name: string): Conversation {
  const key = session ?? beginning(name)
  const found = known.get(key)
  if (found) return found
  const begun: Conversation = new Conversation(session, at => {
    known.set(at, begun)
    channel?.postMessage(at)
  })
  known.set(key, begun)
  return begun
}

/** Let the next conversation under a name be a new one; the one before goes on as that of its session. */
export function beginAnew(name: string): void {
  known.delete(beginning(name))
}

/** Let go of a session that is no more. */
export function forget(session: string): void {
  known.delete(session)
}
