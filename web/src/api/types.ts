/** Shapes of the contract, as far as the reader uses them. Positions are code points of the canonical text. */

export type Quote = { exact: string; prefix: string; suffix: string }
/** PDF points, origin bottom left: x0, y0, x1, y1. */
export type Rect = { page: number; box: [number, number, number, number] }
export type Locator = {
  document: string
  text_version: string
  start: number
  end: number
  quote?: Quote
  section: { number: number; path: string[] } | null
  page: number | null
  page_label: string | null
  cfi: string | null
  rects: Rect[] | null
}
export type DocumentEntry = {
  id: string
  title: string
  authors: string[]
  source: string
  format: string
  language: string | null
  status: string
  confidence: number
  added: string
  progress: number | null
  /** When it was read last. */
  read: string | null
  finished: boolean
  collections: string[]
  tags: string[]
}
export type DocumentName = { id: string; title: string; source?: string }
export type ContentsEntry = {
  number: number
  level: number
  title: string | null
  start: number | null
  end: number | null
  page: number | null
}
export type PageReport = { page: number; confidence: number; reasons: string[]; status: string }
export type DocumentShown = {
  id: string
  metadata: {
    title: string
    authors: string[]
    language: string | null
    published: string | null
    identifiers: string[] | Record<string, string>
  }
  contents: ContentsEntry[]
  parse: {
    parser: string
    text_version: string
    confidence: number
    reasons: string[]
    warnings?: string[]
    pages?: PageReport[]
  }
  coverage: { indexed_characters: number; characters: number; quarantined_pages: number[] }
  spoilers: 'hide' | 'show'
  collections: string[]
  tags: string[]
  preview?: { page: number; text: string }
}
/** A part of the file in reading order; a hidden one keeps its number only. */
export type Part = { number: number; href: string | null; cfi: string | null; start: number | null; end: number | null }
export type Hit = {
  rank: number
  score: number
  document: DocumentName
  text: string
  locator: Locator
  trace?: unknown
}
export type SearchAnswer = { hits: Hit[]; took_ms: number; notice: string | null; filtered?: unknown }
export type Color = 'yellow' | 'green' | 'blue' | 'red' | 'purple'
export type NoteState = 'exact' | 'moved' | 'lost'
export type Relation = 'related' | 'supports' | 'contradicts'
export type Note = {
  id: string
  document: { id: string; title: string }
  quote: string | null
  body: string
  color: Color
  tags: string[]
  locator: Locator | null
  state: NoteState
  links: { id: string; relation: Relation; direction: 'in' | 'out' }[]
  created: string
  updated: string
}
export type Progress = {
  document: string
  position: number
  read_to: number
  fraction: number
  section: number | null
  page: number | null
  finished: boolean
  spoilers: 'hide' | 'show'
  updated: string | null
}
export type CitationStatus = 'verified' | 'repaired' | 'misattributed'
export type Citation = { n: number; status: CitationStatus; quote: string; document: DocumentName; locator: Locator }
export type Rejected = { quote: string; status: 'not_found' | 'misattributed' | 'out_of_scope' }
export type Usage = { requests: number; input_tokens: number; output_tokens: number; cost: number | null }
export type Answer = {
  answer: string
  abstained: boolean
  citations: Citation[]
  rejected: Rejected[]
  steps: { tool: string; args: unknown; state: string; seconds: number; summary: string }[]
  session: string
  model: string
  usage: Usage
  stopped: null | 'rounds' | 'tokens' | 'cost' | 'seconds' | 'repeat'
}
export type SessionEntry = { id: string; title: string; created: string; updated: string; messages: number }
export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
export type JobProgress = { stage: string; file: string; done: number; total: number }
export type Job = {
  id: string
  kind: string
  state: JobState
  progress: JobProgress | null
  result: { documents?: AddedDocument[] } | null
  error: { code: string; message: string; hint: string } | null
  created: string
  updated: string
}
export type AddedDocument = {
  id: string
  title: string
  source: string
  format: string
  status: 'added' | 'updated' | 'unchanged' | 'quarantined' | 'failed'
  confidence: number
  warnings: string[]
  error: { code: string; message: string; hint: string } | null
}
export type Collection = { name: string; description: string; documents: number }
export type Tag = { name: string; documents: number }
export type Stats = {
  documents: number
  formats: Record<string, number>
  languages: Record<string, number>
  characters: number
  pages: number
  notes: number
  tags: number
  collections: number
  sessions: number | null
  reading: {
    finished: number
    in_progress: number
    not_begun: number
    this_week: number
    this_month: number
    this_year: number
    streak: number
    days: { date: string; characters: number }[]
  }
}
