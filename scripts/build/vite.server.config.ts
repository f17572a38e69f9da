import { defineConfig, type Plugin } from 'vite'
import { derivedTables } from './derived-tables.mjs'
import { engineBuild } from './engine.mjs'
import { collectNotices, writeNotices } from './notices.mjs'

/** Entries that the package exports. */
const EXPORTED = ['index', 'expect', 'playwright']

/** An ES module in front of each exported entry: what the scripts beside it are, their own `package.json` says. */
function esModules(): Plugin {
  return {
    name: 'blinknet-es-modules',
    generateBundle(_options, bundle) {
      this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !EXPORTED.includes(chunk.name) || !chunk.isEntry) continue
        const source = `import script from './${chunk.fileName}'\nexport const { ${chunk.exports.join(', ')} } = script\n`
        this.emitFile({ type: 'asset', fileName: `${chunk.name}.mjs`, source })
      }
    },
  }
}

/**
 * What runs in Node.js, each with all of the chain and its libraries in it, so that the package depends on nothing: the
 * `blinknet` command, the library, the helper thread of both, and what runs official state tests. They are CommonJS, whose
 * compiled code can be kept (src/server/compiled-code.ts), and which Node.js loads sooner.
 */
export default defineConfig({
  publicDir: false,
  plugins: [derivedTables(), engineBuild(), collectNotices(), writeNotices(), esModules()],
  ssr: { noExternal: true, external: ['@playwright/test', 'bufferutil', 'utf-8-validate'] },
  build: {
    ssr: true,
    rolldownOptions: {
      input: {
        main: 'src/server/main.ts',
        command: 'src/server/command.ts',
        index: 'src/library/index.ts',
        expect: 'src/expect/index.ts',
        playwright: 'src/playwright/index.ts',
        'recovery-thread': 'src/server/recovery-thread.ts',
        'run-tx': 'scripts/state-tests/run-tx.ts',
      },
      // Beside the entries: what they name by its place has the same one from everywhere.
      output: {
        format: 'cjs',
        strict: true,
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // A start reads a megabyte of them: of one character beyond U+00FF V8 makes two bytes of each.
        charset: 'ascii',
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
    outDir: 'dist/server',
    target: 'node20',
    reportCompressedSize: false,
  },
})
