import type { shelf as en } from '../en/shelf'

export const shelf: Record<keyof typeof en, string> = {}
