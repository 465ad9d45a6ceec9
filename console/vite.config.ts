import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Links of libraries to their websites: an installation must not direct anybody to the internet. */
const EXTERNAL_LINKS = /https:\/\/(?:react\.dev|mantine\.dev|reactflow\.dev|prosemirror\.net)\b\/?/g

const removeExternalLinks: Plugin = {
  name: 'without-elsewhere',
  renderChunk: (code) => ({ code: code.replaceAll(EXTERNAL_LINKS, ''), map: null }),
}

/** Names hold the hash of their content: files are kept for a year. */
const FILE_NAME_OPTIONS = {
  hashCharacters: 'hex',
  entryFileNames: 'assets/[name]-[hash:16].js',
  chunkFileNames: 'assets/[name]-[hash:16].js',
  assetFileNames: 'assets/[name]-[hash:16][extname]',
} as const

/** Built by scripts/console/build.ts, which says where to. */
export default defineConfig({
  root: fileURLToPath(new URL('.//', import.meta.url)),
  base: '/console/',
  plugins: [react(), removeExternalLinks],
  worker: {
    format: 'es',
    rolldownOptions: { output: FILE_NAME_OPTIONS },
  },
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // A small file of its own is dearer than its bytes, and data: is refused for fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions: { output: FILE_NAME_OPTIONS },
  },
})
