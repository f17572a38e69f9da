// Builds the page that shows a film from one file: `dist/report/template.html`, into which src/report/ puts a chain and what a
// test has recorded. Everything is inside: scripts and those of workers (gzip, Base64), styles, faces. It loads nothing.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, runnerImport } from 'vite'
import { derivedTables } from './derived-tables.mjs'
import { engineBuild } from './engine.mjs'
import { collectNotices, FACES, writeNotices } from './notices.mjs'

const OUTPUT = 'dist/report'
const target = ['chrome123', 'firefox128', 'safari17.5']

/** Workers that a film starts, by the name that the page knows them by. */
const WORKERS = {
  'node-worker': 'src/worker/node-worker.ts',
  'solidity-worker': 'src/solidity/worker/solidity-worker.ts',
}

/** What only compiles: it is in no worker of a film, and the page has no use of it. @type {Readonly<Record<string, string>>} */
const WITHOUT = { 'virtual:solc': 'BINARY, start', 'virtual:solidity-packages': 'PACKAGES' }

/** Where the page has its notices. */
const NOTICES = '`${import.meta.env.BASE_URL}THIRD-PARTY-NOTICES.txt`'

/** Screens and dialogs that change a chain or run one, and would be a fifth of the file. */
const LEFT_OUT = /\/(ContractsScreen|SendScreen|BreakScreen|ViewScreen|GuestScreen|TourPanel|ShareDialog)\.tsx$/

/**
 * A worker's address is a blob's, which the page's first script makes of what the file holds.
 *
 * @returns {import('vite').Plugin}
 */
function workersInFile() {
  return {
    name: 'blinknet-workers-in-file',
    enforce: 'pre',
    resolveId(id) {
      if (id.endsWith('/trusted-script-url.ts')) return '\0own-scripts'
      const name = /([\w-]+)\.ts\?worker&url$/.exec(id)?.[1]
      return name === undefined ? undefined : `\0worker:${name}`
    },
    transform(code) {
      if (code.includes(NOTICES)) return code.replace(NOTICES, 'globalThis.blinknetScripts.notices')
      if (!code.includes('new Worker(')) return undefined
      // A page from a disk may not start a module of a blob.
      return code.replace(/(new Worker\([^;]*)type:\s*['"]module['"],\s*/g, '$1')
    },
    load(id) {
      // The file's own policy allows scripts of blobs, which only its own scripts make.
      if (id === '\0own-scripts') return 'export const trustedScriptUrl = (url) => url'
      if (!id.startsWith('\0worker:')) return undefined
      const name = id.slice('\0worker:'.length)
      return `export default globalThis.blinknetScripts?.[${JSON.stringify(name)}] ?? ''`
    },
  }
}

/** @returns {import('vite').Plugin} */
function withoutChanges() {
  const names = new Map()
  return {
    name: 'blinknet-without-changes',
    enforce: 'pre',
    resolveId(id) {
      const screen = LEFT_OUT.exec(id)?.[1]
      if (screen !== undefined) names.set(`\0without:${screen}`, screen)
      return screen !== undefined ? `\0without:${screen}` : id in WITHOUT ? `\0without:${id}` : undefined
    },
    load(id) {
      if (!id.startsWith('\0without:')) return undefined
      const screen = names.get(id)
      if (screen !== undefined) return `export { LeftOut as ${screen} } from '#ui/report/LeftOut.tsx'`
      return (WITHOUT[id.slice('\0without:'.length)] ?? '')
        .split(', ')
        .map((name) => `export const ${name} = undefined`)
        .join('\n')
    },
  }
}

/**
 * One classic script of all that an entry imports, now or later, with its styles.
 *
 * @param {string} name
 * @param {string} entry
 * @param {readonly import('vite').Plugin[]} plugins
 */
async function bundle(name, entry, plugins) {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    base: './',
    define: { 'globalThis.Buffer': 'undefined', 'process.env.NODE_ENV': '"production"' },
    plugins: [workersInFile(), withoutChanges(), derivedTables(), engineBuild(), collectNotices(), ...plugins],
    build: {
      write: false,
      target,
      cssTarget: target,
      minify: true,
      reportCompressedSize: false,
      modulePreload: false,
      lib: { entry: { [name]: entry }, formats: ['iife'], name: `blinknet_${name.replaceAll('-', '_')}` },
      rolldownOptions: {
        output: { codeSplitting: false, comments: { legal: false, annotation: false, jsdoc: false } },
      },
    },
  })
  const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (Array.isArray(result) ? result[0] : result)
  const [script, ...more] = output
  const styles = more.find((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
  const notices = more.find(({ fileName }) => fileName === 'THIRD-PARTY-NOTICES.txt')
  const others = more.filter((file) => file !== styles && file !== notices)
  if (others.length > 0)
    throw new Error(`${entry} has files beside it: ${others.map((file) => file.fileName).join(', ')}`)
  return {
    script: script.code,
    styles: styles?.type === 'asset' ? String(styles.source) : '',
    notices: notices?.type === 'asset' ? String(notices.source) : '',
  }
}

/** Where the page's scripts are put in when a report is written; see src/server/report/. @param {string} name */
const fileOf = (name) => `<!-- file ${name}.br -->`

/**
 * The first script: unpacks the others, and starts the page. No other inline script runs: the policy has its hash alone.
 */
const BOOT = `(async () => {
  const textOf = async (id) => {
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (c) => c.charCodeAt(0))
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
  }
  const addressOf = async (id, type = 'text/javascript') => URL.createObjectURL(new Blob([await textOf(id)], { type }))
  const scripts = { notices: await addressOf('notices', 'text/plain') }
  for (const { id } of document.querySelectorAll('script[data-worker]')) scripts[id] = await addressOf(id)
  globalThis.blinknetScripts = scripts
  const script = document.createElement('script')
  script.src = await addressOf('page')
  script.onerror = () => (document.getElementById('problem').textContent = 'This browser does not run the script of this file.')
  document.head.append(script)
})().catch((error) => (document.getElementById('problem').textContent = 'This file cannot be opened here: ' + error.message))`

async function main() {
  const workers = await Promise.all(
    Object.entries(WORKERS).map(async ([name, entry]) => ({ name, ...(await bundle(name, entry, [])) })),
  )
  // Last: it writes the notices of all.
  const page = await bundle('page', 'src/ui/report-page.tsx', [...react(), writeNotices(FACES)])
  if (page.notices === '') throw new Error('the build has no notices')
  // After the builds: it makes this a process for development.
  /** @type {{ module: typeof import('../../src/report/report-file.ts') }} */
  const { module } = await runnerImport('./src/report/report-file.ts', { configFile: false })
  const { DATA_PLACE, REPORT_BEGINNING } = module
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(BOOT).digest('base64')}' blob: 'wasm-unsafe-eval'`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'font-src data:',
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const holds = 'type="application/octet-stream"'
  const html = `${REPORT_BEGINNING}
<html lang="en" data-faces="own">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="dark light" />
    <title>Blinknet</title>
    <style>${page.styles.replaceAll('</style', '<\\/style')}</style>
  </head>
  <body>
    <div id="root"></div>
    <p id="problem" role="alert"></p>
    <noscript>This file shows a test and its chain, and needs JavaScript for it.</noscript>
${DATA_PLACE}
    <script ${holds} id="page">${fileOf('page')}</script>
${workers.map(({ name }) => `    <script ${holds} id="${name}" data-worker>${fileOf(name)}</script>`).join('\n')}
    <script ${holds} id="notices">${fileOf('notices')}</script>
    <script>${BOOT}</script>
  </body>
</html>
`
  rmSync(OUTPUT, { recursive: true, force: true })
  mkdirSync(OUTPUT, { recursive: true })
  writeFileSync(path.join(OUTPUT, 'template.html'), html)
  // Smaller than with gzip, which the browsers unpack and the package makes of it when it writes a report.
  for (const { name, script } of [{ name: 'page', ...page }, ...workers, { name: 'notices', script: page.notices }]) {
    const packed = brotliCompressSync(script)
    writeFileSync(path.join(OUTPUT, `${name}.br`), packed)
    console.log(`${OUTPUT}/${name}.br ${(packed.byteLength / 1000).toFixed(0)} kB`)
  }
}

await main()
