export const notes = {
  'pdf.locked': 'This file is locked by a password',
  'pdf.lockedHint': 'Save a copy without a password and add it to the library.',
  'pdf.damaged': 'This file is damaged',
  'pdf.damagedHint': 'It cannot be drawn. Add a good copy of it.',
  'pdf.gone': 'The file does not come',
  'pdf.goneHint': 'It was moved, changed or removed since it was added. Put it back, or add it again.',
  'pdf.pages': 'Pages',
} as const
