import { readFile } from 'node:fs/promises'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { derivedTables } from './scripts/build/derived-tables.mjs'
import { engineBuild } from './scripts/build/engine.mjs'
import { collectNotices, writeNotices } from './scripts/build/notices.mjs'
import { serviceWorker } from './scripts/build/service-worker.mjs'
import { solc } from './scripts/build/solc.mjs'
import { solidityPackages } from './scripts/build/solidity-packages.mjs'
import { walletScript } from './scripts/build/wallet.mjs'

/** @param hosts - Besides its own, those that the page may connect to. */
const policy = (hosts: string) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    `connect-src 'self'${hosts}`,
    // Dapps of the same origin, which the page is a wallet for.
    "frame-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    // The one policy of src/client/trusted-script-url.ts.
    'trusted-types blinknet',
  ].join('; ')

const PAGE_POLICY = policy('')
/** The policy of the entry that attaches to a chain at any address; one that holds cannot be widened by the page. */
const REMOTE_POLICY = policy(' http: https: ws: wss:')
const REMOTE_PAGE = 'remote.html'
/** What starts the node's worker before the page's own scripts are there; see src/client/node/early-start.ts. */
const EARLY_START = 'early-start'

/** Puts the policy into the built page, for hosts that cannot set headers; dev needs inline scripts for hot reload. */
const contentSecurityPolicy: Plugin = {
  name: 'blinknet-content-security-policy',
  apply: 'build',
  transformIndexHtml: (html) => html.replace('<head>', `<head>\n    ${policyElement(PAGE_POLICY)}`),
}

function policyElement(content: string): string {
  return `<meta http-equiv="Content-Security-Policy" content="${content}" />`
}

/** Refuses scripts that import a worker's own script: WebKit would run that a second time. */
const workersAlone = (): Plugin => ({
  name: 'blinknet-workers-alone',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
    const workers = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
    for (const { fileName, imports, dynamicImports } of chunks) {
      const found = [...imports, ...dynamicImports].find((name) => workers.has(name))
      if (found !== undefined) this.error(`${fileName} imports ${found}, which is a worker's own script`)
    }
  },
})

/** Has the built page load the early start before anything else; in dev the page starts the worker when it gets to it. */
function earlyStart(): Plugin {
  let base = '/'
  return {
    name: 'blinknet-early-start',
    apply: 'build',
    configResolved(config) {
      base = config.base
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === EARLY_START)
        if (chunk?.type !== 'chunk') throw new Error('the build has no early start')
        // A script that waits for another would come late, and a second time as a part of that one.
        if (chunk.imports.length > 0) throw new Error(`the early start waits for ${chunk.imports.join(', ')}`)
        // `async`: as soon as it is there.
        const attrs = { type: 'module', async: true, crossorigin: true, src: `${base}${chunk.fileName}` }
        return [{ tag: 'script', attrs, injectTo: 'head' }]
      },
    },
  }
}

/** The second entry: the first one's page under the other policy. In dev there is none, so it differs by its mark alone. */
const remotePage: Plugin = {
  name: 'blinknet-remote-page',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = bundle['index.html']
      const html = page?.type === 'asset' ? String(page.source) : ''
      if (!html.includes(policyElement(PAGE_POLICY))) throw new Error('the build has no index.html with the policy')
      const source = markAsRemote(html).replace(policyElement(PAGE_POLICY), policyElement(REMOTE_POLICY))
      this.emitFile({ type: 'asset', fileName: REMOTE_PAGE, source })
    },
  },
  configureServer(server) {
    server.middlewares.use(`/${REMOTE_PAGE}`, (request, response, next) => {
      readFile('index.html', 'utf8')
        .then((html) => server.transformIndexHtml(request.originalUrl ?? '/', markAsRemote(html)))
        .then((html) => response.setHeader('Content-Type', 'text/html').end(html), next)
    })
  },
}

/** As `isRemotePage` of src/ui/connect/endpoint-address.ts reads it. */
function markAsRemote(html: string): string {
  return html.replace('<html', '<html data-page="remote"')
}

/** Has the preview send each entry its own policy: both a header and the meta element have to allow something. */
const remotePolicyHeader: Plugin = {
  name: 'blinknet-remote-policy-header',
  configurePreviewServer({ middlewares, config }) {
    middlewares.use(`${config.base}${REMOTE_PAGE}`, (_request, response, next) => {
      const setHeader = response.setHeader.bind(response)
      response.setHeader = (name, value) =>
        setHeader(name, name === 'Content-Security-Policy' ? withFrameAncestors(REMOTE_POLICY) : value)
      next()
    })
  },
}

/** Has the preview send files as they are: it would compress each of them anew for every visit, on this very machine. */
const uncompressedPreview: Plugin = {
  name: 'blinknet-uncompressed-preview',
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      delete request.headers['accept-encoding']
      next()
    })
  },
}

/**
 * `_headers`, which Netlify, Cloudflare Pages and others read: what a meta element cannot say. Both documents carry their
 * own policy; the scripts of `assets/` run in workers, which have no other policy than that of their own response.
 */
const hostHeaders: Plugin = {
  name: 'blinknet-host-headers',
  apply: 'build',
  generateBundle() {
    const { base } = this.environment.config
    const everywhere = [
      "  Content-Security-Policy: frame-ancestors 'self'",
      '  X-Frame-Options: SAMEORIGIN',
      ...Object.entries(HEADERS).map(([name, value]) => `  ${name}: ${value}`),
    ]
    const workers = [
      `  Content-Security-Policy: ${PAGE_POLICY}`,
      '  Cache-Control: public, max-age=31536000, immutable',
    ]
    const source = [
      `${base}*`,
      ...everywhere,
      '',
      `${base}assets/*`,
      ...workers,
      '',
      `${base}sw.js`,
      '  Cache-Control: no-cache',
      '',
    ]
    this.emitFile({ type: 'asset', fileName: '_headers', source: source.join('\n') })
  },
}

/** A meta element cannot carry this part. */
function withFrameAncestors(pagePolicy: string): string {
  return `${pagePolicy}; frame-ancestors 'self'`
}

/** Headers of every answer of a host. */
const HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }

const target = ['chrome123', 'firefox128', 'safari17.5']

export default defineConfig({
  // Routes are paths (`/block/7`), so assets must not be relative to them. `--base /folder/` wins over the variable.
  base: process.env['BLINKNET_BASE'] ?? '/',
  // What Node.js does by its own code (src/primitives/node-buffer.ts).
  define: { 'globalThis.Buffer': 'undefined' },
  plugins: [
    react(),
    derivedTables(),
    engineBuild(),
    contentSecurityPolicy,
    earlyStart(),
    remotePage,
    remotePolicyHeader,
    uncompressedPreview,
    hostHeaders,
    solc(),
    solidityPackages(),
    collectNotices(),
    writeNotices(),
    walletScript(),
    serviceWorker(),
  ],
  worker: {
    format: 'es',
    plugins: () => [derivedTables(), engineBuild(), solc(), solidityPackages(), collectNotices(), workersAlone()],
    // What the node's worker shares with scripts that it loads later comes as one file; by itself it would be seven.
    rolldownOptions: {
      // Optimised, what is shared would stay in the worker's own script.
      experimental: { chunkOptimization: false },
      output: { codeSplitting: { groups: [{ name: 'node-worker-shared', tags: ['$initial'], minShareCount: 2 }] } },
    },
  },
  build: {
    outDir: 'dist/page',
    target,
    cssTarget: target,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', [EARLY_START]: 'src/client/node/early-start.ts' },
      output: {
        codeSplitting: {
          groups: [
            // One file, so that the worker starts after one request.
            {
              name: EARLY_START,
              test: /src\/client\/(node\/early-start|node\/start-node-worker|trusted-script-url)\.ts/,
              priority: 2,
            },
            // What is seen first comes as two files, the one that seldom changes by itself. Without this it would be some
            // forty, since screens that load later share parts of it.
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 1 },
            { name: 'first-view', tags: ['$initial'] },
            // What the live screen loads after its first view; by itself it would be ten files.
            {
              name: 'live-tools',
              test: /src\/ui\/(screens\/live\/|load\/)/,
              includeDependenciesRecursively: false,
              priority: 0.5,
            },
            // What these tools share with few others; by itself it would be a dozen files.
            {
              name: 'live-parts',
              test: /src\/(ui\/(chain\/(AccountOptions|SenderField|failure\/SendFailure)|connect\/(MissingFeatures|remote-words)|queries\/accounts|own\/transfer-form|page\/view-address|screens\/live\/Elsewhere)|primitives\/system-clock)|lucide-react\/.*\/icons\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 0.45,
            },
            // Signs and sends: loaded after the first view.
            { name: 'signer', test: /src\/(client\/signing\/dev-signer|ui\/own\/send-transfer)/, priority: 0.4 },
            // What many screens and dialogs share, such as fields and icons; by itself it would be some forty files.
            { name: 'common', minShareCount: 7, priority: 0.3 },
            // What the storage dialog, the palette and others do to a chain; by itself it would be five files.
            {
              name: 'chain-actions',
              test: /src\/(ui\/storage\/(chain-actions|download|sniff-file|format-bytes)|client\/(node\/(chain-file|stored-chain|unpack)|session\/chain-tools))/,
              includeDependenciesRecursively: false,
            },
            // Two views of code share their lines, which by themselves would be two files more.
            {
              name: 'code-views',
              test: /src\/ui\/chain\/source\/(CodeLines|InstructionList|SourceView|highlight-solidity)/,
              includeDependenciesRecursively: false,
            },
            // The tree of histories and the scene of the stage with three of them; by themselves it would be four files.
            { name: 'histories', test: /src\/(fates\/|ui\/screens\/break\/|client\/node\/open-separate-chain)/ },
            {
              name: 'abi-index',
              test: /src\/ui\/decode\/(abi-index|signature)/,
              includeDependenciesRecursively: false,
            },
            // What an account's source needs of the contracts screen.
            {
              name: 'solidity-compiler',
              test: /src\/(client\/solidity-compiler|ui\/screens\/contracts\/source\/CompilerDownload)/,
            },
            // Each is loaded by several others; by itself it would be a dozen files.
            {
              name: 'fork',
              test: /src\/(ui\/fork\/|ui\/connect\/(EndpointDialog|AddressDialog)|client\/fork\/|endpoint\/|transport\/port\/ask-port|primitives\/(json-text|harmless-line))/,
              includeDependenciesRecursively: false,
            },
            {
              name: 'remote-session',
              test: /src\/client\/(remote\/|session\/remote-problem)/,
              includeDependenciesRecursively: false,
            },
            // The dialogs of the contracts load later and share it; by itself it would be five files.
            {
              name: 'ContractsProject',
              test: /src\/ui\/screens\/contracts\/(project\/(?!archive|import-project|make-project)|files\/Opened)/,
            },
            // What makes a project of files, with the settings and remappings of its tool.
            {
              name: 'make-project',
              test: /src\/(ui\/screens\/contracts\/project\/(import|make)-project|compiler\/)/,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  preview: {
    headers: {
      'Content-Security-Policy': withFrameAncestors(PAGE_POLICY),
      ...HEADERS,
    },
  },
})
