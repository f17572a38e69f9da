// `npm run bench`, the part that compares: Blinknet in a browser’s worker and in Node.js beside anvil, Hardhat and ethereumjs, in one
// run on one machine. Needs `npm run build`. Figures are medians; compare them within one run only. `--long` measures the memory of
// ten times as many transfers, and latency for a minute, `--write` puts the table into docs/performance.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus } from 'node:os'
import { openWorker, startBrowser } from './versus/browser.mjs'
import {
  HARDHAT_VERSION,
  startAnvil,
  startBareHttp,
  startBlinknet,
  startHardhat,
  startReference,
} from './versus/chains.mjs'
import { measureEthereumjs } from './versus/ethereumjs.mjs'
import { reportExecution } from './versus/execution.mjs'
import { Report } from './versus/figures.mjs'
import { reportLatency } from './versus/latency.mjs'
import { reportMemory } from './versus/memory.mjs'
import { reportPendingReads } from './versus/pending.mjs'
import { reportPrecompiles } from './versus/precompiles.mjs'
import { reportRoundTrip } from './versus/round-trip.mjs'
import { reportStartUp } from './versus/start-up.mjs'
import { reportThroughput } from './versus/throughput.mjs'
import { BenchSigner } from './versus/transactions.mjs'

/**
 * Transfers and ERC-20 transfers that run first on every system; on ethereumjs, which takes minutes, there are no
 * others.
 */
const FIRST = 200
/** Warm-up transactions before the measurement, since JavaScript code gets faster with use. */
const WARM_UP = 800
const DOCUMENT = new URL('../docs/performance.md', import.meta.url)
/** @type {string} */
const anvilVersion = createRequire(import.meta.url)('@foundry-rs/anvil/package.json').version
const MARKERS = /<!-- versus: made by `node bench\/versus.mjs --write` -->[^]*<!-- \/versus -->/

/** @param {string} table */
function writeTable(table) {
  const document = readFileSync(DOCUMENT, 'utf8')
  if (!MARKERS.test(document)) throw new Error('docs/performance.md has no place for the table')
  const date = new Date().toISOString().slice(0, 10)
  const intro = `${date}, ${cpus().length} cores, Chromium headless, Node.js ${process.version}, anvil ${anvilVersion}, Hardhat ${HARDHAT_VERSION}.`
  const block = `<!-- versus: made by \`node bench/versus.mjs --write\` -->\n\n${intro}\n\n${table}\n\n<!-- /versus -->`
  writeFileSync(
    DOCUMENT,
    document.replace(MARKERS, () => block),
  )
}

const host = await startBrowser()
const running = []
try {
  const worker = await openWorker(host)
  running.push(worker)
  const node = await startBlinknet()
  running.push(node)
  const anvil = await startAnvil()
  running.push(anvil)
  const hardhat = await startHardhat()
  running.push(hardhat)
  const reference = await startReference()
  running.push(reference)
  const bare = await startBareHttp()
  running.push(bare)
  const chains = [worker, node, anvil, hardhat]

  const signer = new BenchSigner()
  const preparing = await signer.preparations()
  const first = {
    transfer: await signer.next('transfer', FIRST),
    erc20: await signer.next('erc20', FIRST),
  }
  const ethereumjs = await measureEthereumjs(preparing, first)
  const warmUp = [await signer.next('transfer', WARM_UP), await signer.next('erc20', WARM_UP)]
  for (const chain of [...chains, reference, bare]) {
    for (const lanes of [[preparing], first.transfer, first.erc20, ...warmUp]) {
      await chain.submit(lanes, 10)
      await chain.call('evm_mine')
    }
  }

  const report = new Report(['worker', 'node', 'anvil', 'hardhat', 'bare', 'reference', 'ethereumjs'])
  await reportThroughput(report, [worker, node, anvil], bare, [hardhat, reference], signer, ethereumjs.perSecond)
  await reportExecution(report, [worker, node, anvil], [hardhat, reference], ethereumjs.execution)
  await reportPrecompiles(report, [worker, node])
  for (const chain of [bare, reference]) await chain.stop()
  running.splice(running.indexOf(reference), 2)
  await reportRoundTrip(report, chains, host)
  await reportPendingReads(report, chains, signer)
  await reportLatency(report, host, process.argv.includes('--long') ? 60 : 5)
  await reportStartUp(report)
  await reportMemory(report, process.argv.includes('--long') ? 100_000 : 10_000)
  if (process.argv.includes('--write')) writeTable(report.text())
} finally {
  for (const chain of running) await chain.stop()
  await host.stop()
}
