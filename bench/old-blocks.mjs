// What an old chain costs that is kept in a directory: memory for each empty block and each transaction, also while it is
// opened, and reading what is in no memory. The server is the built one (`npm run build:server`).
// Usage: old-blocks.mjs [--most 1000000] [--empty 100000] [--memory 32] [--in-memory]
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { bodyOf, freePort, refuseErrors, startBlinknet } from './versus/chains.mjs'
import { count, median, ms, percentile } from './versus/figures.mjs'
import { inspectedAt, liveMb, peakMb } from './versus/live-memory.mjs'

const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '1000000' },
    empty: { type: 'string', default: '100000' },
    memory: { type: 'string' },
    'in-memory': { type: 'boolean', default: false },
  },
})
const most = Number(values.most)
if (!(most >= 100_000)) throw new Error('the most is at least 100,000')
const emptyBlocks = Number(values.empty)

const PER_BLOCK = 1_000
const SENDERS = 100
/** Ten minutes at 500 a second. */
const SETTLED = Math.min(300_000, most / 2)
const READS = 400
/** By then the rings of the system contracts are full, which have 8,191 places, and so is {@link EMPTY_MEMORY}. */
const FULL = 10_000
/** MB for the bytes of blocks, so that they leave memory. */
const EMPTY_MEMORY = '1'
/** Goals, in bytes of live memory, and of the most that opening takes: that has garbage in it. */
const EMPTY_BYTES = 30
const OPENING_BYTES = 500
/** One block each 2 s. */
const BLOCKS_A_MONTH = 1_296_000
/** Goals, in milliseconds. */
const MEDIAN_MS = 2
const P99_MS = 10
/** Logs the first word of its calldata as a topic. */
const LOGGER = '0x5f355f5fa100'
const logger = `0x${'6e'.repeat(20)}`
const topic = (/** @type {number} */ block) => `0x${block.toString(16).padStart(64, '7')}`
const hex = (/** @type {number} */ value) => `0x${value.toString(16)}`

/** @param {number} mb @param {number} of */
const bytesEach = (mb, of) => (mb * 2 ** 20) / of

/** Memory for each empty block, on a chain of its own. */
async function measureEmpty() {
  const own = mkdtempSync(path.join(tmpdir(), 'blinknet-empty-'))
  const port = await freePort()
  const start = () => startBlinknet(['--clock', 'manual', '--data', own, '--memory', EMPTY_MEMORY], inspectedAt(port))
  let blocks = await start()
  try {
    const mine = async (/** @type {number} */ amount) => {
      for (let left = amount; left > 0; left -= 1_000) await blocks.call('anvil_mine', [hex(Math.min(left, 1_000))])
      return liveMb(port)
    }
    /** Opens the chain again. Returns the most memory that this took. */
    const reopen = async () => {
      await blocks.stop()
      const opening = performance.now()
      blocks = await start()
      await blocks.call('eth_blockNumber', [])
      return { peak: peakMb(blocks.pid), took: performance.now() - opening }
    }
    await mine(FULL)
    await reopen()
    // The newest states are made again, and so is what the process compiles and caches.
    const before = await mine(FULL)
    const after = await mine(emptyBlocks)
    const each = bytesEach(after - before, emptyBlocks)
    const missed = each > EMPTY_BYTES ? ' **missed**' : ''
    console.log(
      `${count(emptyBlocks)} empty blocks after ${count(FULL)}: ${before.toFixed(1)} to ${after.toFixed(1)} MB, ${each.toFixed(1)} bytes a block${missed}; a month of 2 s: ${count((each * BLOCKS_A_MONTH) / 2 ** 20)} MB, a year ${count((each * 12 * BLOCKS_A_MONTH) / 2 ** 20)} MB`,
    )
    // A short chain is opened before the engine collects much: what a block costs shows between two long ones.
    const once = await reopen()
    console.log(`opened again in ${ms(once.took)}, ${(await liveMb(port)).toFixed(1)} MB`)
    await mine(emptyBlocks)
    const twice = await reopen()
    if (once.peak !== undefined && twice.peak !== undefined) {
      const more = bytesEach(twice.peak - once.peak, emptyBlocks)
      console.log(
        `at most ${count(once.peak)} MB while it was opened, ${count(twice.peak)} MB with as many blocks again, ${more.toFixed(0)} bytes a block${more > OPENING_BYTES ? ' **missed**' : ''}; a month of 2 s: ${count(twice.peak + (more * (BLOCKS_A_MONTH - 2 * emptyBlocks)) / 2 ** 20)} MB`,
      )
    }
    console.log()
  } finally {
    await blocks.stop()
    rmSync(own, { recursive: true, force: true })
  }
}
if (emptyBlocks > 0) await measureEmpty()

const folder = mkdtempSync(path.join(tmpdir(), 'blinknet-old-'))
const inspector = await freePort()
const kept = values['in-memory'] ? [] : ['--data', folder]
const memory = values.memory === undefined ? [] : ['--memory', values.memory]
const open = () =>
  startBlinknet(['--clock', 'manual', '--gas-limit', '400000000', ...kept, ...memory], inspectedAt(inspector))
let chain = await open()

/** Calls in one request. @param {readonly (readonly [method: string, params: readonly unknown[]])[]} calls */
async function batch(calls) {
  const body = JSON.stringify(calls.map(([method, params], id) => bodyOf(method, params, id)))
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(chain.url ?? '', { method: 'POST', headers, body })
  const text = await response.text()
  refuseErrors(text)
  return text
}

const senders = Array.from({ length: SENDERS }, (_, i) => hex(0x2000_0000 + i).padEnd(42, '0'))
for (const each of senders) {
  await chain.call('anvil_impersonateAccount', [each])
  await chain.call('anvil_setBalance', [each, `0x${(10n ** 27n).toString(16)}`])
}
await chain.call('anvil_setCode', [logger, LOGGER])
/** @param {number} i - How many were sent before. */
function transfer(i) {
  const isLog = i % PER_BLOCK === 0
  const to = isLog ? logger : hex(0x1000_0000 + (i % PER_BLOCK)).padEnd(42, '0')
  const call = { from: senders[i % SENDERS], to, value: '0x1', gas: '0xc350', gasPrice: '0x4a817c800' }
  const nonce = hex(Math.floor(i / SENDERS))
  return /** @type {const} */ ([
    'eth_sendTransaction',
    [{ ...call, nonce, ...(isLog && { data: topic(i / PER_BLOCK + 1) }) }],
  ])
}

/** Sends and seals transfers. @param {number} from - How many there are. @param {number} to - How many there are to be. */
async function grow(from, to) {
  for (let first = from; first < to; first += PER_BLOCK) {
    await batch(Array.from({ length: PER_BLOCK }, (_, i) => transfer(first + i)))
    await chain.call('evm_mine')
  }
  return liveMb(inspector)
}

/** The first block with transactions. */
let firstBlock = 0

/** Times a call that answers with something, for random blocks. @param {string} name @param {(block: number) => readonly [string, readonly unknown[]]} ask */
async function timeReads(name, ask) {
  const times = []
  for (let i = 0; i < READS; i++) {
    const [method, params] = ask(firstBlock + Math.floor(Math.random() * (most / PER_BLOCK / 2)))
    const began = performance.now()
    const answer = await chain.call(method, params)
    times.push(performance.now() - began)
    if (answer === null || (Array.isArray(answer) && answer.length === 0)) throw new Error(`${name}: nothing is there`)
  }
  const [middle, worst] = [median(times), percentile(times, 0.99)]
  const missed = middle > MEDIAN_MS || worst > P99_MS ? ' **missed**' : ''
  console.log(`| ${name} | ${ms(middle)} | ${ms(worst)}${missed} |`)
}

try {
  const empty = await grow(0, PER_BLOCK)
  const settled = await grow(PER_BLOCK, SETTLED)
  const began = performance.now()
  const full = await grow(SETTLED, most)
  const rate = (most - SETTLED) / ((performance.now() - began) / 1_000)
  const perTransaction = (/** @type {number} */ mb, /** @type {number} */ of) => `${bytesEach(mb, of).toFixed(1)} bytes`
  console.log(`${count(most)} transfers, ${count(PER_BLOCK)} in a block, ${count(rate)} sent and sealed a second`)
  console.log(
    `memory: ${count(empty)} MB empty, ${count(settled)} MB at ${count(SETTLED)}, ${count(full)} MB at the end`,
  )
  console.log(
    `for each transaction: ${perTransaction(full - empty, most)}; after ${count(SETTLED)}: ${perTransaction(full - settled, most - SETTLED)}`,
  )
  if (!values['in-memory']) {
    console.log(`on disk: ${count(statSync(path.join(folder, 'blinknet.journal')).size / 2 ** 20)} MB`)
    await chain.stop()
    const opening = performance.now()
    chain = await open()
    await chain.call('eth_blockNumber', [])
    console.log(`opened again in ${ms(performance.now() - opening)}, ${count(await liveMb(inspector))} MB`)
  }
  firstBlock = Number(await chain.call('eth_blockNumber', [])) - most / PER_BLOCK + 1
  /** @type {string[][]} */
  const hashes = []
  for (let place = 1; place <= most / PER_BLOCK; place++) {
    const { transactions } = await chain.call('eth_getBlockByNumber', [hex(firstBlock + place - 1), false])
    hashes[firstBlock + place - 1] = transactions
  }
  const some = (/** @type {number} */ block) => {
    const all = hashes[block] ?? []
    return all[Math.floor(Math.random() * all.length)]
  }
  console.log('\n| read | median | p99 |\n|---|---|---|')
  await timeReads('transaction', (block) => ['eth_getTransactionByHash', [some(block)]])
  await timeReads('receipt', (block) => ['eth_getTransactionReceipt', [some(block)]])
  await timeReads('header', (block) => ['eth_getHeaderByNumber', [hex(block)]])
  await timeReads('block with hashes', (block) => ['eth_getBlockByNumber', [hex(block), false]])
  await timeReads('logs of a block', (block) => ['eth_getLogs', [{ fromBlock: hex(block), toBlock: hex(block) }]])
  await timeReads('logs with a topic, of all blocks', (block) => [
    'eth_getLogs',
    [{ fromBlock: '0x0', topics: [topic(block - firstBlock + 1)] }],
  ])
} finally {
  await chain.stop()
  rmSync(folder, { recursive: true, force: true })
}
