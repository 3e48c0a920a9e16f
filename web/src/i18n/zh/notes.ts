import type { notes as en } from '../en/notes'

export const notes: Record<keyof typeof en, string> = {
  'pdf.locked': '文件有密码保护',
  'pdf.lockedHint': '请另存一份不带密码的副本，再添加到书库。',
  'pdf.damaged': '文件已损坏',
  'pdf.damagedHint': '无法显示。请重新添加一份完好的文件。',
  'pdf.gone': '读取不到文件',
  'pdf.goneHint': '文件在添加之后被移动、修改或删除了。请放回原处，或重新添加。',
  'pdf.pages': '页面',
}
