/** Files out of what was dropped on the window, also out of folders where the browser opens them. */

const READABLE = /\.(epub|pdf|docx|fb2|html?|xhtml|md|markdown|mkd|txt|text)$/i

/** Return the files among what is dragged; of a folder those that can be read. Call it before anything is awaited. */
export async function filesOf(data: DataTransfer): Promise<File[]> {
  const entries = [...data.items].map(item => item.webkitGetAsEntry?.() ?? null)
  const plain = [...data.files]
  if (!entries.some(entry => entry?.isDirectory)) return plain
  const found = await Promise.all(entries.map(entry => (entry ? walk(entry, true) : [])))
  return found.flat()
}

/** Return those of a chosen folder that can be read. */
export function readable(files: Iterable<File>): File[] {
  return [...files].filter(file => READABLE.test(file.name) && !file.name.startsWith('.'))
}

async function walk(entry: FileSystemEntry, named = false): Promise<File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed))
    return named ? [file] : readable([file])
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const files: File[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed))
    if (!some.length) return files // a browser gives a hundred at a time
    for (const one of some) files.push(...(await walk(one)))
  }
}
