const ITEM = /^([-*+]|\d+[.)]) /
const CONTINUES = /^( {2,}|\t|[-*+] |\d+[.)] )/

/** Split Markdown into its top-level blocks, so that those that are finished are drawn once (code fences stay whole). */
export function blocksOf(markdown: string): string[] {
  const blocks: string[] = []
  let lines: string[] = []
  let fence = ''
  let blank = false
  const flush = () => {
    if (lines.some(line => line.trim())) blocks.push(lines.join('\n'))
    lines = []
    blank = false
  }
  for (const line of markdown.split('\n')) {
    const ticks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence) {
      lines.push(line)
      if (ticks.startsWith(fence) && line.trim() === ticks) fence = ''
      continue
    }
    if (!line.trim()) {
      blank = true
      lines.push(line)
      continue
    }
    // after an empty line a list goes on with its items and with what is indented below them
    if (blank && !(ITEM.test(lines[0] ?? '') && CONTINUES.test(line))) flush()
    fence = ticks
    blank = false
    lines.push(line)
  }
  flush()
  return blocks
}
