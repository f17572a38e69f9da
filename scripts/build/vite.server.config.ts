import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { derivedTables } from './derived-tables.mjs'
import { engineBuild } from './engine.mjs'
import { collectNotices, writeNotices } from './notices.mjs'

/** Entries that the package exports. */
const EXPORTED = ['index', 'expect', 'fates', 'hardhat', 'playwright', 'playwright-reporter', 'vitest-reporter']

/** An ES module in front of each exported entry: what the scripts beside it are, their own `package.json` says. */
function esModules(): Plugin {
  return {
    name: 'blinknet-es-modules',
    generateBundle(_options, bundle) {
      this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !EXPORTED.includes(chunk.name) || !chunk.isEntry) continue
        const named = chunk.exports.filter((name) => name !== 'default')
        const lines = [`import script from './${chunk.fileName}'`]
        if (named.length > 0) lines.push(`export const { ${named.join(', ')} } = script`)
        if (named.length < chunk.exports.length) lines.push('export default script.default')
        const source = `${lines.join('\n')}\n`
        this.emitFile({ type: 'asset', fileName: `${chunk.name}.mjs`, source })
      }
    },
  }
}

/**
 * Entries load what their users have installed, so no other script may need one: the bundler puts what an entry shares with a
 * script that is loaded later into the entry.
 */
function aloneEntries(): Plugin {
  return {
    name: 'blinknet-alone-entries',
    generateBundle(_options, bundle) {
      const entries = EXPORTED.map((name) => `${name}.js`)
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const needed = chunk.imports.find((name) => entries.includes(name) && name !== chunk.fileName)
        if (needed !== undefined) {
          this.error(`${chunk.fileName} needs ${needed}: give what they share a chunk of its own (SHARED)`)
        }
      }
    },
  }
}

/**
 * Leaves out that a script loads the bundler's helpers and uses none of them: the command's first script loads nothing of ours
 * before it has set the flags of V8.
 */
function withoutIdleHelpers(): Plugin {
  return {
    name: 'blinknet-without-idle-helpers',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/^require\("\.\/rolldown-runtime-[^"]+"\);\n/m, '')
      }
    },
  }
}

const REPORTS = 'node_modules/istanbul-reports/lib/html'

/** What the pages of coverage look like: files that their reporter copies from beside its script. */
function coverageAssets(): Plugin {
  return {
    name: 'blinknet-coverage-assets',
    generateBundle() {
      for (const file of readdirSync(`${REPORTS}/assets`, { recursive: true, encoding: 'utf8' })) {
        const from = path.join(REPORTS, 'assets', file)
        if (!statSync(from).isFile()) continue
        this.emitFile({ type: 'asset', fileName: `assets/${file.replaceAll('\\', '/')}`, source: readFileSync(from) })
      }
    },
  }
}

/** Modules that an entry shares with scripts that are loaded later. */
const SHARED = /\/src\/rpc-types\/batch-delegate\.ts$/

/**
 * What runs in Node.js, each with all of the chain and its libraries in it, so that the package depends on nothing: the
 * `blinknet` command, the library, the helper thread of both, and what runs official state tests. They are CommonJS, whose
 * compiled code can be kept (src/server/compiled-code.ts), and which Node.js loads sooner.
 */
export default defineConfig({
  publicDir: false,
  plugins: [
    derivedTables(),
    engineBuild(),
    collectNotices(),
    writeNotices(),
    esModules(),
    aloneEntries(),
    coverageAssets(),
    withoutIdleHelpers(),
  ],
  ssr: { noExternal: true, external: ['@playwright/test', 'bufferutil', 'utf-8-validate'] },
  build: {
    ssr: true,
    rolldownOptions: {
      input: {
        main: 'src/server/main.ts',
        command: 'src/server/command.ts',
        index: 'src/library/index.ts',
        expect: 'src/expect/index.ts',
        fates: 'src/library/fates.ts',
        hardhat: 'src/hardhat/index.ts',
        playwright: 'src/playwright/index.ts',
        'playwright-reporter': 'src/coverage/reporters/playwright-reporter.ts',
        'vitest-reporter': 'src/coverage/reporters/vitest-reporter.ts',
        'recovery-thread': 'src/server/recovery-thread.ts',
        'run-tx': 'scripts/state-tests/run-tx.ts',
      },
      // Beside the entries: what they name by its place has the same one from everywhere.
      output: {
        format: 'cjs',
        exports: 'named',
        strict: true,
        codeSplitting: { groups: [{ name: 'shared', test: SHARED }] },
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
