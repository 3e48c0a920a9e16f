import type { notes as en } from '../en/notes'

export const notes: Record<keyof typeof en, string> = {}
