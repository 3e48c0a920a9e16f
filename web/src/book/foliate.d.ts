/** What this program uses of foliate-js, which brings no types. */
declare module 'foliate-js/paginator.js' {
  export type Section = { load(): Promise<string> | string; unload?(): void; linear?: string }
  export type Anchor = number | Range | Element | ((doc: Document) => number | Range | Element | null)
  export type Relocated = {
    reason: 'page' | 'snap' | 'scroll' | 'navigation' | 'anchor' | 'selection' | null
    range: Range
    index: number
  }
  export class Paginator extends HTMLElement {
    open(book: { dir: string; sections: Section[] }): void
    goTo(target: { index: number; anchor?: Anchor }): Promise<void>
    scrollToAnchor(anchor: Range): Promise<void>
    next(distance?: number): Promise<void>
    prev(distance?: number): Promise<void>
    setStyles(styles: [before: string, after: string]): void
    focusView(): void
    render(): void
    getContents(): { doc: Document | null }[]
    destroy(): void
    readonly scrolled: boolean
    readonly size: number
    readonly viewSize: number
    readonly start: number
    readonly end: number
    readonly page: number
    readonly pages: number
  }
}
