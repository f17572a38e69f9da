import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Cancel } from '#primitives/clock.ts'
import { Emitter } from '#primitives/emitter.ts'
import { FakeClock } from '#primitives/fake-clock.ts'
import { createEngine } from '../evm/create-engine.ts'
import type { Engine } from '../evm/engine.ts'
import { createGenesis } from '../payload/genesis.ts'
import { createSpec } from '../spec/create-spec.ts'
import { ChainStore } from '../storage/chain-store.ts'
import { TxPool } from '../txpool/txpool.ts'
import type { ChainEvents } from './events.ts'
import { Sequencer } from './sequencer.ts'

/** Like a host's: nobody looks at what a callback returns. */
class HostClock extends FakeClock {
  override schedule(callback: () => void | Promise<void>, delayMs: number): Cancel {
    return super.schedule(() => void callback(), delayMs)
  }
}

/** What reached the host. */
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

/** A chain whose engine can be given a bug. */
async function setUp() {
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
  const sequencer = await Sequencer.open({
    spec,
    engine,
    clock,
    store,
    blockHash: (number) => store.blockByNumber(number)?.hash,
    pool: new TxPool({
      limits: spec.pool,
      account: (address) => store.pending().state.account(address) ?? { nonce: 0n, balance: 0n },
      isInLiveBlock: () => false,
    }),
    events: new Emitter<ChainEvents>(),
    record: async () => {},
    log() {},
  })
  return {
    sequencer,
    store,
    bug,
    /** Has time pass, a tick at a time. */
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= spec.partialMs) {
        await clock.advance(Math.min(left, spec.partialMs))
        await setImmediate()
      }
    },
  }
}

test('a seal by the timer that fails reaches the host, and is tried again, but not at once', async () => {
  const { sequencer, store, bug, pass } = await setUp()
  sequencer.start()
  await pass(1_800)
  const live = store.pending()
  bug.isThere = true
  await pass(3_200)
  expect(reported).toEqual(Array.from({ length: 4 }, () => new TypeError('a bug in the engine')))
  expect(store.head().header.number).toBe(0)
  expect(store.pending().hash).toBe(live.hash)

  bug.isThere = false
  await pass(1_000)
  expect(reported).toHaveLength(4)
  expect(store.head().hash).toBe(live.hash)
  await pass(2_000)
  expect(store.head().header.number).toBe(2)
  await sequencer.close()
})

test('what fails for somebody who asked for it is theirs, and the host is not told', async () => {
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
