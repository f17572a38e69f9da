import { defineConfig } from 'vite'
import { engineBuild } from './scripts/build/engine.mjs'
import { collectNotices, writeNotices } from './scripts/build/notices.mjs'

/**
 * What runs in Node.js, each with all of the chain and its libraries in it, so that the package depends on nothing: the
 * `blinknet` command, the library, the helper thread of both, and what runs official state tests.
 */
export default defineConfig({
  publicDir: false,
  plugins: [engineBuild(), collectNotices(), writeNotices()],
  ssr: { noExternal: true, external: ['@playwright/test', 'bufferutil', 'utf-8-validate'] },
  build: {
    ssr: true,
    rolldownOptions: {
      input: {
        main: 'src/server/main.ts',
        index: 'src/library/index.ts',
        playwright: 'src/playwright/index.ts',
        'recovery-thread': 'src/server/recovery-thread.ts',
        'run-tx': 'scripts/state-tests/run-tx.ts',
      },
      // Beside the entries: what they name by its place has the same one from everywhere.
      output: {
        chunkFileNames: '[name]-[hash].js',
        // A file of its own, so that it runs before the module that looks for relaxed SIMD.
        codeSplitting: { groups: [{ name: 'relaxed-simd', test: /relaxed-simd/ }] },
      },
    },
    outDir: 'dist/server',
    target: 'node20',
    reportCompressedSize: false,
  },
})
