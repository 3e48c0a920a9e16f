import type { reader as en } from '../en/reader'

export const reader: Record<keyof typeof en, string> = {}
