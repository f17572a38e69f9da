import { defineConfig, type Plugin } from 'vite'
import { derivedTables } from './derived-tables.mjs'
import { engineBuild } from './engine.mjs'
import { collectNotices, writeNotices } from './notices.mjs'

/** See src/browser/index.ts. */
const workerAddress: Plugin = {
  name: 'blinknet-worker-address',
  renderChunk: (code) => code.replace('BLINKNET_WORKER_URL', "new URL('./worker.js', import.meta.url)"),
}

/**
 * What the package has for a page of one's own: the library, and the worker that runs its chain, each as one file, so that it
 * works from a static host as it is and through any bundler.
 */
export default defineConfig(({ mode }) => ({
  publicDir: false,
  base: './',
  define: { 'globalThis.Buffer': 'undefined' },
  plugins: [derivedTables(), engineBuild(), workerAddress, collectNotices(), writeNotices()],
  worker: { format: 'es', plugins: () => [derivedTables(), engineBuild(), collectNotices()] },
  build: {
    emptyOutDir: mode === 'library',
    outDir: 'dist/browser',
    target: ['chrome123', 'firefox128', 'safari17.5'],
    reportCompressedSize: false,
    modulePreload: false,
    lib:
      mode === 'library'
        ? { entry: { index: 'src/browser/index.ts' }, formats: ['es'] }
        : { entry: { worker: 'src/worker/node-worker.ts' }, formats: ['es'] },
    rolldownOptions: { output: { codeSplitting: false, assetFileNames: '[name][extname]' } },
  },
}))
