import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Cancel } from '#primitives/clock.ts'
import { Emitter } from '#primitives/emitter.ts'
import { hexToBytes } from '#primitives/hex.ts'
import { signTransfer } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { Engine } from '../evm/engine.ts'
import { createEngine } from '../evm/engines/create-engine.ts'
import { createGenesis } from '../payload/genesis.ts'
import { createSpec } from '../spec/create-spec.ts'
import { ChainStore } from '../storage/chain-store.ts'
import { JournalError } from '../storage/journal.ts'
import { decodeTransaction } from '../tx/decode.ts'
import { Mempool } from '../txpool/mempool.ts'
import type { ChainEvents } from './events.ts'
import { Sequencer } from './sequencer.ts'

/** Like a host's clock: it ignores what a callback returns. */
class HostClock extends FakeClock {
  readonly delays: number[] = []

  override schedule(callback: () => void | Promise<void>, delayMs: number): Cancel {
    this.delays.push(delayMs)
    return super.schedule(() => void callback(), delayMs)
  }
}

/** Rejections that reached the host unhandled. */
const reported: unknown[] = []
const report = (error: unknown) => reported.push(error)
let listeners: NodeJS.UnhandledRejectionListener[] = []
beforeEach(() => {
  reported.length = 0
  listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', report)
})
afterEach(() => {
  process.removeAllListeners('unhandledRejection')
  for (const listener of listeners) process.on('unhandledRejection', listener)
})

/** A chain whose engine can be made to fail. */
async function setUp(record: () => Promise<void> = async () => {}) {
  const spec = createSpec({})
  const clock = new HostClock()
  const store = new ChainStore(createGenesis(spec, Math.floor(clock.now() / 1_000)))
  const sound = await createEngine(spec.chainId)
  const bug = { isThere: false }
  const engine: Engine = {
    ...sound,
    run(...call) {
      if (bug.isThere) throw new TypeError('a bug in the engine')
      return sound.run(...call)
    },
  }
  const logged: string[] = []
  const events = new Emitter<ChainEvents>()
  const log = (message: string) => logged.push(message)
  const mempool = new Mempool({
    rules: spec,
    events,
    log,
    isOnChain: () => false,
    limits: spec.pool,
    account: (address) => store.pending().state.account(address) ?? { nonce: 0n, balance: 0n },
    sealedNonce: () => 0n,
    isInLiveBlock: () => false,
    gasLimit: () => 400_000_000n,
    isDelegation: () => false,
  })
  const dropped: string[] = []
  events.on('dropped', ({ reason }) => dropped.push(reason))
  const sequencer = await Sequencer.open({
    spec,
    engine,
    clock,
    store,
    timestamps: { mayRepeat: false },
    blockHash: (number) => store.blockByNumber(number)?.hash,
    mempool,
    events,
    storage: { record },
    log,
  })
  return {
    clock,
    sequencer,
    store,
    mempool,
    bug,
    logged,
    dropped,
    /** Lets time pass, one tick at a time. */
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= spec.partialMs) {
        await clock.advance(Math.min(left, spec.partialMs))
        await setImmediate()
      }
    },
  }
}

test('when the timer’s seal fails, the failure is logged once, and the seal is tried again after a pause', async () => {
  const { sequencer, store, bug, logged, pass } = await setUp()
  sequencer.start()
  await pass(1_800)
  const live = store.pending()
  bug.isThere = true
  await pass(3_200)
  expect(logged).toEqual(['a tick failed and will be tried again: a bug in the engine'])
  expect(store.head().header.number).toBe(0)
  expect(store.pending().hash).toBe(live.hash)

  bug.isThere = false
  await pass(1_000)
  expect(store.head().hash).toBe(live.hash)
  await pass(2_000)
  expect(store.head().header.number).toBe(2)
  expect(reported).toEqual([])
  await sequencer.close()
})

test('a tick that fails since the journal was taken over is not told as one that will be tried again', async () => {
  const taken = new JournalError('taken-over', 'the journal was taken over')
  const { sequencer, store, logged, pass } = await setUp(() => Promise.reject(taken))
  sequencer.start()
  await pass(3_000)
  expect(store.head().header.number).toBe(0)
  expect(logged).toEqual([])
  expect(reported).toEqual([])
  await sequencer.close()
})

test('a transaction that breaks the block is dropped with a reason, and all others are included', async () => {
  const { sequencer, store, mempool, logged, dropped, pass } = await setUp()
  for (let sender = 0; sender < 3; sender++) {
    const raw = hexToBytes(await signTransfer(sender, 0))
    const tx = decodeTransaction(raw)
    // The pool only counts the bytes; the block reads them.
    const noBytes = new Proxy(tx.raw, {
      get(bytes, name) {
        if (name === 'length') return bytes.length
        throw new TypeError('a bug in the block')
      },
    })
    mempool.submit(sender === 1 ? { ...tx, raw: noBytes } : tx)
  }
  mempool.submit(decodeTransaction(hexToBytes(await signTransfer(1, 1))))
  expect(dropped).toEqual([])
  sequencer.start()
  await pass(1_000)
  expect(store.pending().transactions.map(({ tx }) => tx.nonce)).toEqual([0n, 0n])
  expect(dropped).toEqual([expect.stringContaining('the node failed on it')])
  expect(logged.join()).toContain('dropped: the node failed on it')
  expect(mempool.reader.size()).toEqual({ pending: 0, queued: 1 })
  await pass(2_000)
  expect(store.head().header.number).toBeGreaterThan(0)
  expect(reported).toEqual([])
  await sequencer.close()
})

test('when a step of the clock of the day cannot be followed, that is logged, and the ticks go on', async () => {
  const { clock, sequencer, store, bug, logged, pass } = await setUp()
  sequencer.start()
  await pass(400)
  bug.isThere = true
  clock.stepWall(3_600_000)
  await pass(200)
  bug.isThere = false
  await pass(2_000)
  expect(reported).toEqual([])
  expect(logged).toEqual(['a tick failed and will be tried again: a bug in the engine'])
  expect(store.head().header.number).toBe(1)
  expect(store.pending().header.timestamp).toBeGreaterThanOrEqual(Math.floor(clock.wallNow() / 1_000))
  await sequencer.close()
})

test('a failing operation rejects for its caller only, and the host sees no unhandled rejection', async () => {
  const { sequencer, store, bug } = await setUp()
  bug.isThere = true
  await expect(sequencer.seal(1)).rejects.toThrow('a bug in the engine')
  bug.isThere = false
  await sequencer.seal(1)
  expect(store.head().header.number).toBe(1)
  await setImmediate()
  expect(reported).toEqual([])
  await sequencer.close()
})

test('a very slow chain never sets a timer longer than the host’s limit, which would fire at once', async () => {
  const { clock, sequencer, store, pass } = await setUp()
  sequencer.start()
  for (const speed of [1e-9, 5e-324]) {
    sequencer.setSpeed(speed)
    await pass(2_000)
    expect(clock.delays.at(-1)).toBe(2 ** 31 - 1)
  }
  expect(store.pending().index).toBe(0)
  sequencer.setSpeed(1)
  await pass(2_200)
  expect(store.head().header.number).toBe(1)
  await sequencer.close()
})
