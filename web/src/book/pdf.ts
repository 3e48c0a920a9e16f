import type { Appearance, Events, Paged, Viewer } from './viewer'

export async function openPdf(
  _host: HTMLElement,
  _source: Paged,
  _events: Events,
  _start: { at: number; appearance: Appearance },
): Promise<Viewer> {
  throw new Error('not written yet')
}
