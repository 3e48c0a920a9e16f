/** Return a text without what it says of the command line, which is no help on a page. */
export function withoutOptions(text: string): string {
  return text.replaceAll('; --uncapped shows it.', '.')
}
