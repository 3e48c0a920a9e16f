import { cpSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const out = resolve(import.meta.dirname, process.env.GLOSSATOR_WEB_OUT ?? '../src/glossator/server/static')

/** Copies what pdf.js loads at run time (character maps, fonts, decoders) beside the bundle; in development serves it. */
function pdfAssets(): Plugin {
  const from = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  let building = false
  return {
    name: 'pdf-assets',
    configResolved(config) {
      building = config.command === 'build'
    },
    configureServer(server) {
      server.middlewares.use('/assets/pdfjs', (request, response, next) => {
        const path = join(from, (request.url ?? '').replace(/[?#].*/, ''))
        if (!path.startsWith(from)) return next()
        readFile(path).then(
          data => response.end(data),
          () => next(),
        )
      })
    },
    closeBundle() {
      if (!building) return
      for (const folder of ['cmaps', 'standard_fonts', 'wasm', 'iccs'])
        cpSync(join(from, folder), join(out, 'assets/pdfjs', folder), { recursive: true })
    },
  }
}

// `npm run dev` talks to a running server: its address and token (from `glossator serve --json`) are in these two.
const server = process.env.GLOSSATOR_URL ?? 'http://127.0.0.1:8000'
const token = process.env.GLOSSATOR_TOKEN ?? ''

export default defineConfig({
  plugins: [react(), tailwindcss(), pdfAssets()],
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
    modulePreload: { polyfill: false },
    // Few files for the first view: what all views share is one; menus and dialogs are another, met later.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'frame',
              test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|use-sync-external-store|@tanstack\/(react-query|query-core))\/|node_modules\/lucide-react\/dist\/esm\/(?!icons)|src\/(ui\/(button|states|toast|field|menu-button)|api\/(client|queries)|i18n\/(index|en)|preferences|app|main|views)/,
            },
            { name: 'icons', test: /node_modules\/lucide-react\/dist\/esm\/icons\// }, // else each is a file
            {
              name: 'menus',
              test: /node_modules\/(radix-ui|@radix-ui|@floating-ui|aria-hidden|react-remove-scroll|react-style-singleton|react-remove-scroll-bar|use-sidecar|use-callback-ref|get-nonce|tslib)\/|src\/ui\/(menu|dialog)\.tsx/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': {
        target: server,
        changeOrigin: true,
        configure(proxy) {
          proxy.on('proxyReq', request => {
            for (const name of ['origin', 'referer', 'sec-fetch-site']) request.removeHeader(name)
            request.setHeader('authorization', `Bearer ${token}`)
          })
        },
      },
    },
  },
  test: { environment: 'happy-dom', include: ['test/**/*.test.{ts,tsx}'] },
} as Parameters<typeof defineConfig>[0])
