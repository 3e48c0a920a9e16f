/** What is kept in this browser of conversations: who answers, and, in this tab, where each document's goes on. */

const MODEL = 'glossator.chat.model'
const SESSIONS = 'glossator.chat.sessions'

/** Return the model that was chosen last, when it is not the one that is set. */
export function keptModel(): string | null {
  try {
    return localStorage.getItem(MODEL)
  } catch {
    return null
  }
}

export function keepModel(model: string | null): void {
  try {
    if (model === null) localStorage.removeItem(MODEL)
    else localStorage.setItem(MODEL, model)
  } catch (error) {
    console.warn('the model is chosen for this conversation only', error)
  }
}

function sessions(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(SESSIONS) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

export function keptSession(document: string): string | null {
  return sessions()[document] ?? null
}

export function keepSession(document: string, session: string | null): void {
  const { [document]: _, ...others } = sessions()
  try {
    sessionStorage.setItem(SESSIONS, JSON.stringify(session === null ? others : { ...others, [document]: session }))
  } catch (error) {
    console.warn('the conversation is kept for this page only', error)
  }
}
