/** A PDF drawn by pdf.js, page by page or as one long scroll; positions come from the lines that the server read. */

import 'pdfjs-dist/legacy/web/pdf_viewer.css'
import './pdf/pdf.css'
import { openFile } from './pdf/open'
import { PdfView } from './pdf/view'
import type { Appearance, Events, Paged, Viewer } from './viewer'

/**
 * Show a PDF at a position.
 *
 * @throws Unreadable: it is locked, damaged or not there.
 */
export async function openPdf(
  host: HTMLElement,
  source: Paged,
  events: Events,
  start: { at: number; appearance: Appearance },
): Promise<Viewer> {
  const { task, document } = openFile(source.fileUrl)
  try {
    // loaded after the library itself, which it takes from the global scope
    const [parts, file] = await Promise.all([import('pdfjs-dist/legacy/web/pdf_viewer.mjs'), document])
    const view = new PdfView(host, source, events, parts, () => void task.destroy())
    await view.show(file, start)
    return view
  } catch (error) {
    void task.destroy()
    throw error
  }
}
