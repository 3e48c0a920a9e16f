/** Opening the file with pdf.js, and what is said when that fails. */

import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
import worker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import { translate } from '../../i18n'
import { Unreadable } from '../viewer'

// the viewer of pdf.js looks for its other half there
Object.assign(globalThis, { pdfjsLib: pdfjs })
pdfjs.GlobalWorkerOptions.workerSrc = worker

const ASSETS = '/assets/pdfjs'

/**
 * Open a file by ranges.
 *
 * @throws Unreadable: it is locked, damaged or not there.
 */
export function openFile(url: string): {
  task: pdfjs.PDFDocumentLoadingTask
  document: Promise<pdfjs.PDFDocumentProxy>
} {
  const task = pdfjs.getDocument({
    url,
    cMapUrl: `${ASSETS}/cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${ASSETS}/standard_fonts/`,
    wasmUrl: `${ASSETS}/wasm/`,
    iccUrl: `${ASSETS}/iccs/`,
    rangeChunkSize: 262_144,
    enableXfa: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS, // odd fonts are told glyph by glyph
  })
  const document = task.promise.catch((error: unknown) => {
    throw said(error)
  })
  return { task, document }
}

function said(error: unknown): unknown {
  if (error instanceof pdfjs.PasswordException)
    return new Unreadable(translate('pdf.locked'), translate('pdf.lockedHint'))
  if (error instanceof pdfjs.InvalidPDFException)
    return new Unreadable(translate('pdf.damaged'), translate('pdf.damagedHint'))
  if (error instanceof pdfjs.ResponseException) return new Unreadable(translate('pdf.gone'), translate('pdf.goneHint'))
  return error
}
