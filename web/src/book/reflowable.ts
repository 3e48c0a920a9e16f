import type { Appearance, Events, Reflowable, Viewer } from './viewer'

export async function openReflowable(
  _host: HTMLElement,
  _source: Reflowable,
  _events: Events,
  _start: { at: number; appearance: Appearance },
): Promise<Viewer> {
  throw new Error('not written yet')
}
