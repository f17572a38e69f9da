// How cost grows with what a chain holds: accounts, blocks, waiting transactions, subscribers, transactions. Each has sizes
// a factor of ten apart; what costs more than ten times as much at the next size grows worse than linearly, and is marked.
// The chains are on the disk, in the built server (`npm run build:server`). Usage: growth.mjs [--most 1000000]
// [--only accounts,blocks,waiting,transactions,subscribers]
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { bodyOf, freePort, refuseErrors, startBlinknet } from './versus/chains.mjs'
import { count, median, ms } from './versus/figures.mjs'
import { inspectedAt, liveMb } from './versus/live-memory.mjs'
import { addresses } from './versus/transactions.mjs'

const { values } = parseArgs({ options: { most: { type: 'string', default: '1000000' }, only: { type: 'string' } } })
const most = Number(values.most)
if (!(most >= 100_000)) throw new Error('the most is at least 100,000')

const ROUNDS = 5
const STEP = 10
/** More than ten times as much by this factor is no noise. */
const NOISE = 1.3
/** Milliseconds, and MB: below it a figure says little. */
const FLOOR = 8
/** Milliseconds that opening a chain of a million transactions may take. */
const MOST_OPENING_MS = 2_000

/** Sends 1 wei to as many addresses as the second word of the calldata says, the first word and those after it. */
const SPREADER = '0x5f356020355b80156021575f5f5f5f6001865af1509060010190600190036005565b00'
const spreader = `0x${'5d'.repeat(20)}`
/** New accounts by one transaction, below the limit of its gas. */
const SPREAD = 400
const SPREAD_GAS = '0xfa0000'
/** Accounts that change in the block whose root is timed. */
const CHANGED = 1_000
const PER_REQUEST = 1_000
const FIRST_ADDRESS = 0x1000_0000

const word = (/** @type {number} */ value) => value.toString(16).padStart(64, '0')
const hex = (/** @type {number} */ value) => `0x${value.toString(16)}`
const mb = (/** @type {number} */ value) => `${value.toFixed(value < 10 ? 1 : 0)} MB`
const [sender = ''] = addresses

/** A stored chain, which can be closed and opened. */
class StoredChain {
  #folder = mkdtempSync(path.join(tmpdir(), 'blinknet-growth-'))
  #inspector = 0
  /** @type {import('./versus/chains.mjs').Chain | undefined} */
  #chain

  /** The running one. */
  get chain() {
    if (!this.#chain) throw new Error('the chain is closed')
    return this.#chain
  }

  /** @returns {Promise<number>} Milliseconds from the start of the process to the first answer. */
  async open() {
    this.#inspector = await freePort()
    const began = performance.now()
    const args = ['--clock', 'manual', '--gas-limit', '400000000', '--data', this.#folder]
    this.#chain = await startBlinknet(args, inspectedAt(this.#inspector))
    await this.call('eth_getBalance', [sender, 'latest'])
    return performance.now() - began
  }

  /** @param {string} method @param {readonly unknown[]} [params] */
  call(method, params) {
    return this.chain.call(method, params)
  }

  /** Calls in one request. @param {readonly (readonly [method: string, params: readonly unknown[]])[]} calls */
  async batch(calls) {
    const body = JSON.stringify(calls.map(([method, params], id) => bodyOf(method, params, id)))
    const response = await fetch(this.chain.url ?? '', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    refuseErrors(await response.text())
  }

  /** Times a call. @param {string} method @param {readonly unknown[]} [params] @returns {Promise<number>} Milliseconds. */
  async time(method, params) {
    const began = performance.now()
    await this.call(method, params)
    return performance.now() - began
  }

  memory() {
    return liveMb(this.#inspector)
  }

  get bytes() {
    return statSync(path.join(this.#folder, 'blinknet.journal')).size
  }

  async close() {
    await this.#chain?.stop()
    this.#chain = undefined
  }

  /** Milliseconds until it is open again, the median. */
  async reopen() {
    const times = []
    for (let round = 0; round < 3; round++) {
      await this.close()
      times.push(await this.open())
    }
    return median(times)
  }

  async remove() {
    await this.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** @typedef {{ readonly size: number, readonly costs: Readonly<Record<string, number>> }} Measured */
/** Memory and disk are in MB, times in milliseconds. @param {string} name @param {number} value */
const shown = (name, value) => (name.includes('memory') || name.includes('disk') ? mb(value) : ms(value))

/** Prints how each cost grows; the exit code is 1 if one grows worse than linearly. @param {string} of @param {readonly Measured[]} all */
function report(of, all) {
  const [first] = all
  console.log(
    `\n| ${of} | ${all.map(({ size }) => count(size)).join(' | ')} | factors |\n|${' --- |'.repeat(all.length + 2)}`,
  )
  for (const name of Object.keys(first?.costs ?? {})) {
    const row = all.map(({ costs }) => costs[name] ?? Number.NaN)
    const factors = row.slice(1).map((value, i) => value / (row[i] ?? Number.NaN))
    const isWorse = factors.some((factor, i) => factor > STEP * NOISE && (row[i + 1] ?? 0) > FLOOR)
    const cells = row.map((value) => shown(name, value))
    const words = factors.map((factor) => `${factor.toFixed(1)}×`).join(', ')
    console.log(`| ${name} | ${cells.join(' | ')} | ${words}${isWorse ? ': **worse than linear**' : ''} |`)
    if (isWorse) process.exitCode = 1
  }
}

/** A factor of ten apart, up to the most. @param {number} last @param {number} sizes */
const upTo = (last, sizes) => Array.from({ length: sizes }, (_, i) => last / STEP ** (sizes - 1 - i))

/**
 * A part of the measurement, on a chain of its own.
 *
 * @param {string} part
 * @param {(stored: StoredChain) => Promise<void>} act
 */
async function measure(part, act) {
  if (values.only !== undefined && !values.only.split(',').includes(part)) return
  const stored = new StoredChain()
  try {
    await stored.open()
    await act(stored)
  } finally {
    await stored.remove()
  }
}

await measure('accounts', async (stored) => {
  await stored.call('anvil_setCode', [spreader, SPREADER])
  await stored.call('anvil_setBalance', [spreader, hex(2 ** 60)])
  await stored.call('anvil_setBalance', [sender, `0x${(10n ** 27n).toString(16)}`])
  /** @param {number} start @param {number} amount */
  const spread = (start, amount) =>
    stored.call('eth_sendTransaction', [
      { from: sender, to: spreader, gas: SPREAD_GAS, data: `0x${word(FIRST_ADDRESS + start)}${word(amount)}` },
    ])
  const empty = await stored.memory()
  const all = []
  let accounts = 0
  for (const size of upTo(most, 3)) {
    while (accounts < size) {
      for (let sent = 0; sent < 20 && accounts < size; sent++, accounts += SPREAD) await spread(accounts, SPREAD)
      await stored.call('evm_mine')
    }
    const roots = []
    for (let round = 0; round < ROUNDS; round++) {
      // Apart from each other, as accounts that change in a block are.
      for (let i = 0; i < CHANGED; i += 100) await spread(Math.floor((accounts / CHANGED) * i) + round, 100)
      await stored.call('devnet_tick')
      roots.push(await stored.time('devnet_seal'))
    }
    const memory = (await stored.memory()) - empty
    all.push({
      size,
      costs: {
        [`sealed, ${count(CHANGED)} changed`]: median(roots),
        'opened again': await stored.reopen(),
        memory,
        'memory when opened again': (await stored.memory()) - empty,
        disk: stored.bytes / 2 ** 20,
      },
    })
  }
  report('accounts', all)
})

await measure('blocks', async (stored) => {
  const empty = await stored.memory()
  const all = []
  let blocks = 0
  for (const size of upTo(most / STEP, 3)) {
    const began = performance.now()
    await stored.call('anvil_mine', [hex(size - blocks)])
    const mined = ((performance.now() - began) / (size - blocks)) * size
    blocks = size
    const reads = []
    for (let i = 0; i < 100; i++)
      reads.push(await stored.time('eth_getBlockByNumber', [hex(Math.floor(size / 2)), false]))
    const memory = (await stored.memory()) - empty
    all.push({
      size,
      costs: {
        mined,
        'one in the middle read': median(reads),
        'opened again': await stored.reopen(),
        memory,
        disk: stored.bytes / 2 ** 20,
      },
    })
  }
  report('blocks', all)
})

/**
 * Sends transfers that nobody signs.
 *
 * @param {StoredChain} stored
 */
async function transfersOn(stored) {
  /** Enough senders that none has more waiting than the pool allows one. */
  const senders = Array.from({ length: 100 }, (_, i) => hex(FIRST_ADDRESS * 2 + i).padEnd(42, '0'))
  for (const each of senders) {
    await stored.call('anvil_impersonateAccount', [each])
    await stored.call('anvil_setBalance', [each, `0x${(10n ** 27n).toString(16)}`])
  }
  let sent = 0
  const transfer = () => {
    const i = sent++
    const to = hex(FIRST_ADDRESS + (i % CHANGED)).padEnd(42, '0')
    const nonce = hex(Math.floor(i / senders.length))
    const from = senders[i % senders.length]
    const call = { from, to, value: '0x1', gas: '0x5208', gasPrice: '0x4a817c800', nonce }
    return /** @type {const} */ (['eth_sendTransaction', [call]])
  }
  /** @param {number} amount */
  const transfers = (amount) => stored.batch(Array.from({ length: amount }, transfer))
  return { transfers, transfer, sent: () => sent }
}

await measure('waiting', async (stored) => {
  const { transfers, transfer, sent } = await transfersOn(stored)
  const waiting = []
  for (const size of upTo(most / 100, 3)) {
    // The pool has room for one more.
    while (sent() < size - 1) await transfers(Math.min(PER_REQUEST, size - 1 - sent()))
    const times = []
    for (let i = 0; i < 100; i++) times.push(await stored.time('eth_getBlockByNumber', ['pending', false]))
    const [method, params] = transfer()
    waiting.push({
      size,
      costs: { 'pending read': median(times), 'one more accepted': await stored.time(method, params) },
    })
  }
  report('waiting transactions', waiting)
})

await measure('transactions', async (stored) => {
  const { transfers, sent } = await transfersOn(stored)
  const empty = await stored.memory()
  const all = []
  for (const size of upTo(most, 3)) {
    const before = sent()
    const began = performance.now()
    while (sent() < size) {
      await transfers(PER_REQUEST)
      await stored.call('evm_mine')
    }
    const sealed = ((performance.now() - began) / (sent() - before)) * sent()
    const memory = (await stored.memory()) - empty
    all.push({
      size,
      costs: { sealed, 'opened again': await stored.reopen(), memory, disk: stored.bytes / 2 ** 20 },
    })
  }
  report('transactions', all)
  const opening = all.at(-1)?.costs['opened again'] ?? Number.NaN
  // With fewer, the start of the process would be most of it.
  if (most === 1_000_000) console.log(`\nopening a million transactions: ${ms(opening)}, goal ≤ ${ms(MOST_OPENING_MS)}`)
})

await measure('subscribers', async (stored) => {
  const all = []
  /** @type {WebSocket[]} */
  const sockets = []
  for (const size of upTo(most / 1_000, 3)) {
    while (sockets.length < size) {
      const socket = new WebSocket(stored.chain.url?.replace('http', 'ws') ?? '')
      await once(socket, 'open')
      socket.send(JSON.stringify(bodyOf('eth_subscribe', ['newHeads'])))
      await once(socket, 'message')
      sockets.push(socket)
    }
    const times = []
    for (let round = 0; round < 20; round++) {
      const told = Promise.all(sockets.map((socket) => once(socket, 'message')))
      const began = performance.now()
      await Promise.all([stored.call('devnet_seal'), told])
      times.push(performance.now() - began)
    }
    all.push({ size, costs: { 'a block is sealed and all are told': median(times) } })
  }
  report('subscribers', all)
  for (const socket of sockets) socket.terminate()
})
