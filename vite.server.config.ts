import { defineConfig } from 'vite'
import { engineBuild } from './scripts/build/engine.mjs'

/**
 * The Node.js server: `src/server/main.ts` with all of the chain in it; the libraries stay in node_modules. Beside it, its
 * helper, and what runs official state tests.
 */
export default defineConfig({
  publicDir: false,
  plugins: [engineBuild()],
  build: {
    ssr: true,
    rolldownOptions: {
      input: {
        main: 'src/server/main.ts',
        'recovery-thread': 'src/server/recovery-thread.ts',
        'run-tx': 'scripts/state-tests/run-tx.ts',
      },
    },
    outDir: 'dist/server',
    target: 'node20',
    reportCompressedSize: false,
  },
})
