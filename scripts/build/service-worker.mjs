// Vite's plugins that build the page's service worker into one file with a fixed name, for the build and the
// development server.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { derivedTables } from './derived-tables.mjs'

const ENTRY = 'src/worker/service-worker/service-worker.ts'
const OUTPUT = 'sw.js'
/**
 * Files not needed offline: the compiler of 5.9 MB and packages of Solidity sources, which `src/compiler/load-binary.ts`
 * caches for those who use them; licenses; files only for the host.
 */
const NOT_KEPT = /^assets\/(solc|solidity)-.*\.bin$|^licenses\/|^THIRD-PARTY-NOTICES\.txt$|^_headers$/

/**
 * Every file of the built page with its integrity. The page itself has the empty path, since some hosts redirect
 * `index.html`.
 *
 * @param {string} folder
 */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(path.join(folder, file)).isFile() && file !== OUTPUT && !file.endsWith('.map'))
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !NOT_KEPT.test(file))
    .toSorted()
    .map((file) => {
      const content = readFileSync(path.join(folder, file))
      const integrity = `sha256-${createHash('sha256').update(content).digest('base64')}`
      return { path: file === 'index.html' ? '' : file, integrity, content }
    })
}

/**
 * A second build after the page's, as one classic script: a module sharing chunks with the page would import files with
 * a hash in their names.
 *
 * @returns {import('vite').Plugin[]}
 */
export function serviceWorker() {
  /** @type {import('vite').ResolvedConfig} */
  let config
  return [
    {
      name: 'blinknet-service-worker-build',
      apply: 'build',
      configResolved(resolved) {
        config = resolved
      },
      async closeBundle() {
        const folder = path.resolve(config.root, config.build.outDir)
        const files = filesOf(folder)
        const listed = files.map(({ path: file, integrity }) => ({ path: file, integrity }))
        const id = createHash('sha256').update(JSON.stringify(listed)).digest('hex').slice(0, 16)
        await build({
          configFile: false,
          root: config.root,
          base: config.base,
          publicDir: false,
          logLevel: 'warn',
          plugins: [derivedTables()],
          define: { BLINKNET_BUILD: JSON.stringify({ id, files: listed }) },
          build: {
            outDir: config.build.outDir,
            emptyOutDir: false,
            target: config.build.target,
            rolldownOptions: { input: ENTRY, output: { format: 'iife', entryFileNames: OUTPUT } },
          },
        })
        const kb = files.reduce((sum, { content }) => sum + gzipSync(content).byteLength, 0) / 1000
        config.logger.info(`${OUTPUT}: keeps ${files.length} files for the page offline, ${kb.toFixed(0)} kB gzip`)
      },
    },
    {
      name: 'blinknet-service-worker-dev',
      apply: 'serve',
      configureServer(server) {
        // A module, so that the development server transforms its imports; it caches no files. The first import sets a
        // value that the second reads.
        const noBuild = `self.BLINKNET_BUILD = { id: 'development', files: [] }`
        const imports = [`data:text/javascript,${encodeURIComponent(noBuild)}`, `${server.config.base}${ENTRY}`]
        const source = imports.map((specifier) => `import ${JSON.stringify(specifier)}\n`).join('')
        server.middlewares.use(`${server.config.base}${OUTPUT}`, (_request, response) => {
          response.setHeader('Content-Type', 'text/javascript')
          response.end(source)
        })
      },
    },
  ]
}
