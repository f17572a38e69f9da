// Checks that downloads stay within budgets. Sizes are bytes after gzip; budgets are about 10% above the last change.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'

/** kB (1,000 bytes), gzip. */
const BUDGET_KB = {
  // Among it what tells contracts by their code, wherever an address is shown.
  // Among it the path of a server's chain, and the word of an account that is impersonated: 0.5 kB.
  // The words about when this chain answers, and which transactions were replaced: 0.8 kB.
  // One for a whole list follows contracts and links, which hundreds of rows did: 0.3 kB.
  page: 152.5,
  // With the way to every history, and the seal's flight.
  'live tools': 17.7,
  signer: 28,
  // The tree of every history of a payment, and what plays them: faults, two dapps, a chain of their own.
  histories: 28.5,
  'rpc console': 16,
  send: 11.5,
  transaction: 11,
  debugger: 14.2,
  account: 7,
  // Loaded when they are opened: an account's tokens and storage; a contract's source, and the client of the compiler.
  'account tabs': 9.4,
  // ABIs of contracts that are the same on every chain, each loaded when something asks for it.
  'well-known ABIs': 4,
  // Functions, events and errors by selector, loaded for the first that nothing else explains.
  'known interfaces': 11.3,
  block: 4.6,
  // Lists of blocks, transactions, accounts, contracts and events.
  explorer: 12,
  contracts: 135.6,
  'project dialogs': 28,
  // Reads compilers' output: the page starts it for the first stack trace or source in the debugger.
  'solidity worker': 46,
  // With the settings and remappings of Foundry and Hardhat.
  'compiler worker': 25.8,
  // Third-party code, downloaded at the first compilation.
  compiler: 6500,
  // Sources of OpenZeppelin, each package downloaded when something first imports it.
  'solidity packages': 445,
  // Loaded when a chain is forked: by the page, which asks its endpoint, and by the worker, which proves what it says.
  fork: 27.5,
  // Including the checks of remote chains' answers.
  // Builds that lack something are completed by the compiler's client, which every screen with a failure has: 1 kB.
  // The wallet that goes among the chains of a server, with their list: 3 kB, of which a page of one chain loads none.
  // The field for any account, which all forms that send share: 3 kB.
  // The wallet that goes among the chains of this browser, with what reads their ids: 1.8 kB, loaded when a dapp asks for one.
  // Bundles of calls as one transaction, with the contract's code, and the question about it: 5 kB, loaded with the first one.
  // The button that fills a gap of nonces, which the first view had: 1.2 kB.
  'other scripts': 148.3,
  // Among it precompiles that answer at once: 0.2 kB.
  // The index of logs, and what reads them from a block's bytes: 1.7 kB.
  // Old blocks that are read again, and the index that takes 6 bytes a transaction: 2.5 kB.
  // Old blocks without an object for each, longer runs of that index, packed blooms: 1.2 kB.
  // Of a state that was stored, lower branches that are read when asked for; differences that stay stored: 0.3 kB.
  worker: 195.6,
  // The private file of a stored tab's old blocks, loaded by a chain that is long.
  'block file': 1,
  'reference engine': 90,
  // Precompiles on BN254, P-256 and BLS12-381 in WebAssembly, each curve loaded with the first call of one.
  // With the map to the second group, and doublings that many points share: 1.5 kB.
  curves: 42,
  // Loaded when a contract runs often.
  'code compiler': 11.5,
  tracing: 24,
  dialects: 9.7,
  // Predeploys and fees of chains of the OP Stack, loaded by one.
  'op chains': 5.5,
  // With all about bundles of calls, which the worker had at its start.
  'seldom methods': 26,
  'typed data': 8.3,
  sources: 25.5,
  'signing worker': 32,
  'recovery worker': 39,
  openrpc: 35.3,
  palette: 24.3,
  tour: 7,
  share: 5.5,
  'qr code': 7,
  // With the scene of three histories: 0.5 kB; and what a speaker's pauses are not counted by: 0.1 kB.
  views: 11.2,
  // The screen of a guest, with what signs: a phone loads it instead of the live screen.
  room: 8.2,
  settings: 6,
  // The service worker lists the chunks by their hashes, which move it by some tens of bytes.
  'service worker': 22.2,
  'wallet script': 2.3,
  // System faces stand in for the page's own, with measures for each weight: 0.2 kB. Rows of long lists know the widths of
  // their cells by themselves: 0.2 kB.
  styles: 9.4,
  // The page's own faces: a sans and a mono.
  faces: 54,
}

const root = 'dist/page'
const assets = path.join(root, 'assets')
const html = readFileSync(path.join(root, 'index.html'), 'utf8')

/** @param {string} file */
const gzipped = (file) => gzipSync(readFileSync(file), { level: 9 }).byteLength
/** @param {readonly string[]} files */
const total = (files) => files.reduce((sum, file) => sum + gzipped(file), 0)

/** Files that index.html loads immediately. @param {RegExp} pattern */
function loadedBy(pattern) {
  return [...new Set([...html.matchAll(pattern)].map(([, url]) => path.join(root, /** @type {string} */ (url))))]
}

/** Files loaded by others, by name. @param {RegExp} pattern */
function assetsNamed(pattern) {
  return readdirSync(assets)
    .filter((file) => pattern.test(file))
    .map((file) => path.join(assets, file))
}

/** Scripts and their static imports. @param {readonly string[]} files @returns {string[]} */
function withImports(files) {
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(([, name]) =>
      path.join(assets, /** @type {string} */ (name)),
    ),
  )
  return [...new Set([...files, ...imported])]
}

const named = {
  page: loadedBy(/<(?:script|link)[^>]+(?:src|href)="([^"]+\.js)"/g),
  // The chain tools, below the first view, with what they share with other screens.
  'live tools': assetsNamed(/^live-(tools|parts)-.*\.js$/),
  // Signs and sends transactions: loaded while the node starts, or when something is sent.
  signer: assetsNamed(/^signer-.*\.js$/),
  // The screen at /break, and the scene of the stage with three of its histories.
  histories: assetsNamed(/^histories-.*\.js$/),
  // Screens that load when they are opened.
  'rpc console': assetsNamed(/^RpcConsoleScreen.*\.js$/),
  // The screen at /send, loaded when visited.
  send: assetsNamed(/^SendScreen.*\.js$/),
  settings: assetsNamed(/^SettingsScreen.*\.js$/),
  views: assetsNamed(/^ViewScreen.*\.js$/),
  room: assetsNamed(/^(GuestScreen|ReadOnlyBar|room-calls).*\.js$/),
  share: assetsNamed(/^(ShareDialog|ScenarioNotice|replay-scenario).*\.js$/),
  // Used by the share dialog and the projector view.
  'qr code': assetsNamed(/^QrCode.*\.js$/),
  tour: assetsNamed(/^TourPanel.*\.js$/),
  // Search and commands, at ⌘K.
  palette: assetsNamed(/^PaletteDialog.*\.js$/),
  transaction: assetsNamed(/^TransactionScreen.*\.js$/),
  // The screen at /tx/0x…/debug, loaded when visited.
  debugger: assetsNamed(/^DebugScreen.*\.js$/),
  block: assetsNamed(/^BlockScreen.*\.js$/),
  explorer: assetsNamed(/^ExploreScreen.*\.js$/),
  account: assetsNamed(/^AccountScreen.*\.js$/),
  'well-known ABIs': assetsNamed(/^(multicall3|permit2|weth|entry-points)-.*\.js$/),
  'known interfaces': assetsNamed(/^selector-table-.*\.js$/),
  'account tabs': assetsNamed(/^(Source|Storage|Tokens|solidity-compiler)-.*\.js$/),
  worker: withImports(assetsNamed(/^node-worker.*\.js$/)),
  // Runs precompiled contracts, and everything else on request: the worker loads it after the start.
  'reference engine': assetsNamed(/^(paced-precompiles|precompile-set|engine)-.*\.js$/),
  // Curves of precompiles: the worker loads them with the first call of one.
  curves: assetsNamed(/^(bn254|bls12-381|curve-module|p256)-.*\.js$/),
  // The engine with tracing: the worker loads it for the first trace.
  tracing: assetsNamed(/^evm-.*\.js$/),
  // Compiles contracts that run often.
  'block file': assetsNamed(/^block-file-.*\.js$/),
  'code compiler': assetsNamed(/^code-compiler-.*\.js$/),
  // Tracers, and methods that few call: the worker loads them with the first call of one.
  // How anvil and Hardhat's node answer: loaded by a chain that takes on one of them.
  dialects: assetsNamed(/^(anvil|hardhat|dialect-from)-.*\.js$/),
  // What a chain loads that is one of the OP Stack.
  'op chains': assetsNamed(/^(predeploys|l1-block)-.*\.js$/),
  'seldom methods': assetsNamed(/^(seldom|trace-step|execution-witness)-.*\.js$/),
  // Hashes typed data of EIP-712: the worker loads it with the first that is signed.
  'typed data': assetsNamed(/^typed-data-digest-.*\.js$/),
  // Decodes console.log, and explains failures by the sources: the node's worker loads them with the first line and build.
  sources: assetsNamed(/^(console-(?!store-)|explain-failure-|read-standard-json-).*\.js$/),
  // Signs the load: the page starts it with the load.
  'signing worker': assetsNamed(/signing-worker.*\.js$/),
  // Helps the node's worker when many transactions arrive at once, which then starts it.
  'recovery worker': assetsNamed(/^recovery-worker.*\.js$/),
  contracts: assetsNamed(/^(ContractsScreen|ContractsProject).*\.js$/),
  // To open and share projects, to add artifacts, and to verify by sources or what Sourcify has, with the library for zip files.
  'project dialogs': assetsNamed(
    /^(archive|make-project|OpenDialog|ShareProjectDialog|ArtifactsDialog|VerifyDialog).*\.js$/,
  ),
  'solidity worker': assetsNamed(/^solidity-worker.*\.js$/),
  'compiler worker': assetsNamed(/^compiler-worker.*\.js$/),
  compiler: assetsNamed(/^solc-.*\.bin$/),
  'solidity packages': assetsNamed(/^solidity-.*\.bin$/),
  fork: assetsNamed(/^(fork|open-fork)-.*\.js$/),
  // The result of `rpc_discover`, loaded on request.
  openrpc: assetsNamed(/^openrpc.*\.js$/),
  'service worker': [path.join(root, 'sw.js')],
  'wallet script': [path.join(root, 'wallet.js')],
  faces: assetsNamed(/\.woff2$/),
  styles: loadedBy(/<link[^>]+href="([^"]+\.css)"/g),
}

const budgeted = new Set(Object.values(named).flat())
const files = {
  ...named,
  // Code shared by screens, such as the decoder of calls and logs, and small dialogs: every script has a budget.
  'other scripts': assetsNamed(/\.js$/).filter((file) => !budgeted.has(file)),
}

for (const [what, budgetKb] of Object.entries(BUDGET_KB)) {
  const measured = files[/** @type {keyof typeof files} */ (what)]
  if (measured.length === 0) throw new Error(`${root} has no ${what}: the check would measure nothing`)
  const kb = total(measured) / 1000
  const within = kb <= budgetKb
  console.log(`${within ? 'ok    ' : 'TOO BIG'} ${what.padEnd(14)} ${kb.toFixed(1)} kB of ${budgetKb} kB gzip`)
  if (!within) process.exitCode = 1
}

/** kB of a report, a file that has all of this inside, without its pictures: as Base64 of what browsers unpack. */
const REPORT_KB = 1_650
const REPORT = 'dist/report'
const template = readFileSync(path.join(REPORT, 'template.html'), 'utf8')
const inside = [...template.matchAll(/<!-- file ([\w-]+\.br) -->/g)].map(([, name]) => path.join(REPORT, name ?? ''))
if (inside.length === 0) throw new Error(`${REPORT} has no scripts: the check would measure nothing`)
const scripts = inside.map((file) => gzipSync(brotliDecompressSync(readFileSync(file)), { level: 9 }).byteLength)
const reportKb = (template.length + (4 / 3) * scripts.reduce((sum, bytes) => sum + bytes, 0)) / 1000
const fits = reportKb <= REPORT_KB
console.log(
  `${fits ? 'ok    ' : 'TOO BIG'} ${'report'.padEnd(14)} ${reportKb.toFixed(1)} kB of ${REPORT_KB} kB, not compressed`,
)
if (!fits) process.exitCode = 1
