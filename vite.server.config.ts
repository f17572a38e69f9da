import { defineConfig } from 'vite'

/** The Node.js server: `src/server/main.ts` with all of the chain in it; the libraries stay in node_modules. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: 'src/server/main.ts',
    outDir: 'dist/server',
    target: 'node20',
    sourcemap: true,
    reportCompressedSize: false,
  },
})
