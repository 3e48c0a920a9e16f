// Resolve CFIs as foliate-js does. Each line of stdin: {"xhtml": "...", "elements": [cfi], "ranges": [cfi]};
// each line of stdout: {"elements": [text], "ranges": [text]}, with {"error": "..."} where nothing was resolved.
import { createInterface } from 'node:readline'
import { JSDOM } from 'jsdom'
import * as CFI from 'foliate-js/epubcfi.js'

globalThis.NodeFilter = new JSDOM('').window.NodeFilter

// The part before the first indirection names the section; the view takes it off before it looks into the section.
const local = cfi => {
    const parts = CFI.parse(cfi)
    ;(parts.parent ?? parts).shift()
    return parts
}

const attempt = f => {
    try {
        return f()
    } catch (e) {
        return { error: String(e) }
    }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const { xhtml, elements, ranges } = JSON.parse(line)
    const { window } = new JSDOM(xhtml, { contentType: 'application/xhtml+xml' })
    const { document } = window
    process.stdout.write(JSON.stringify({
        elements: elements.map(cfi => attempt(() => CFI.toElement(document, local(cfi)[0]).textContent)),
        ranges: ranges.map(cfi => attempt(() => CFI.toRange(document, local(cfi)).toString())),
    }) + '\n')
    window.close()
}
