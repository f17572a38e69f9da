import { expect, test } from 'vitest'
import { Emitter } from '#primitives/emitter.ts'
import { type Address, type Hex, hexToBytes } from '#primitives/hex.ts'
import { devAccount, signTransfer } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { Engine } from '../evm/engine.ts'
import { createEngine } from '../evm/engines/create-engine.ts'
import { createSpec } from '../spec/create-spec.ts'
import { HISTORY_STORAGE_ADDRESS } from '../spec/system-contracts.ts'
import { decodeTransaction } from '../tx/decode.ts'
import { Mempool, type MempoolEvents } from '../txpool/mempool.ts'
import { encodeBlock } from './encode-block.ts'
import { createGenesis } from './genesis.ts'
import { PayloadBuilder } from './payload-builder.ts'
import { sealPartial } from './seal-partial.ts'

/** A precompile, since the engine is not called for an account without code. */
const FATAL: Address = `0x${'00'.repeat(19)}04`
const GAS = 400_000_000n

/** A clock that advances by `stepMs` whenever it is read, as if everything took that long. */
class CostlyClock extends FakeClock {
  readonly #stepMs: number
  yields = 0

  constructor(stepMs: number) {
    super()
    this.#stepMs = stepMs
  }

  override now(): number {
    this.jump(this.#stepMs)
    return super.now()
  }

  override async yield(): Promise<void> {
    this.yields++
  }
}

/** The real engine with a bug: a message to {@link FATAL} makes it throw. */
function faulty(engine: Engine): Engine {
  return {
    hardfork: engine.hardfork,
    codeSizeLimit: engine.codeSizeLimit,
    precompiles: engine.precompiles,
    run: (state, env, message, guard) => {
      if (message.to === FATAL) throw new TypeError('a bug in the engine')
      return engine.run(state, env, message, guard)
    },
  }
}

async function setUp(clock = new FakeClock()) {
  const spec = createSpec({ mode: 'manual' })
  const genesis = createGenesis(spec, 1_700_000_000)
  const deps = {
    spec,
    clock,
    engine: faulty(await createEngine(spec.chainId)),
    timestamps: { mayRepeat: false },
    blockHash: () => undefined,
    log() {},
  }
  const builder = await PayloadBuilder.open(deps, genesis, { timestamp: 1_700_000_002 })
  let state = builder.cut(0, undefined, 0).state
  const events = new Emitter<MempoolEvents & Record<string, unknown>>()
  const dropped: MempoolEvents['dropped'][] = []
  const causes: unknown[] = []
  events.on('dropped', (event) => dropped.push(event))
  const mempool = new Mempool({
    rules: spec,
    limits: spec.pool,
    account: (address) => state.account(address) ?? { nonce: 0n, balance: 0n },
    sealedNonce: () => 0n,
    isInLiveBlock: () => false,
    gasLimit: () => 400_000_000n,
    isDelegation: () => false,
    isOnChain: () => false,
    events,
    log: (_message, cause) => causes.push(cause),
  })
  const { reader: pool } = mempool
  const submitRaw = (raw: Hex) => mempool.submit(decodeTransaction(hexToBytes(raw))).hash
  return {
    deps,
    builder,
    mempool,
    pool,
    dropped,
    causes,
    submitRaw,
    submit: async (...transfer: Parameters<typeof signTransfer>) => submitRaw(await signTransfer(...transfer)),
    cut(index: number, previous?: Parameters<typeof builder.cut>[1]) {
      const partial = builder.cut(index, previous, 0)
      state = partial.state
      mempool.tellFailed()
      mempool.settle()
      return partial
    },
  }
}

test('an execution that throws unexpectedly drops only that transaction, and all others are included', async () => {
  const { builder, mempool, pool, dropped, causes, submit, cut } = await setUp()
  const before = await submit(0, 0)
  const fatal = await submit(1, 0, { to: FATAL, tip: 5_000_000_000n })
  const orphan = await submit(1, 1)
  await builder.extend(0, GAS, mempool)
  const partial = cut(0)

  expect(dropped.map(({ tx, reason }) => [tx.hash, reason])).toEqual([
    [fatal, 'execution failed unexpectedly: a bug in the engine'],
  ])
  expect(causes).toEqual([expect.any(TypeError)])
  expect(partial.transactions.map(({ tx }) => tx.hash)).toEqual([before])
  expect(pool.get(fatal)).toBeUndefined()
  expect(pool.get(orphan)?.hash).toBe(orphan)
  expect(pool.size()).toEqual({ pending: 0, queued: 1 })
})

test('a dropped transaction leaves no trace in the state', async () => {
  const withFault = await setUp()
  await withFault.submit(1, 0, { to: FATAL })
  await withFault.submit(0, 0)
  await withFault.builder.extend(0, GAS, withFault.mempool)
  const without = await setUp()
  await without.submit(0, 0)
  await without.builder.extend(0, GAS, without.mempool)
  expect(withFault.cut(0).hash).toBe(without.cut(0).hash)
})

test('a tick that has used up its time leaves the rest to the next one, and yields to others', async () => {
  const clock = new CostlyClock(12)
  const { builder, mempool, submit, cut } = await setUp(clock)
  for (let nonce = 0; nonce < 40; nonce++) await submit(0, nonce)
  await builder.extend(0, GAS, mempool)
  const first = cut(0)
  expect(first.transactions.length).toBeGreaterThan(0)
  expect(first.transactions.length).toBeLessThan(40)
  expect(clock.yields).toBeGreaterThan(0)
  await builder.extend(1, GAS, mempool)
  const second = cut(1, first)
  expect(second.transactions.length).toBeGreaterThan(first.transactions.length)
  expect(second.firstNew).toBe(first.transactions.length)
})

test('a tick whose time has passed before its first transaction still takes some', async () => {
  const { builder, mempool, submit, cut } = await setUp(new CostlyClock(200))
  for (let nonce = 0; nonce < 40; nonce++) await submit(0, nonce)
  await builder.extend(0, GAS, mempool)
  const { length } = cut(0).transactions
  expect(length).toBeGreaterThan(0)
  expect(length).toBeLessThan(40)
})

test('earlier partial blocks do not change when the block grows', async () => {
  const { builder, mempool, submit, cut } = await setUp()
  await submit(0, 0)
  await builder.extend(0, GAS, mempool)
  const first = cut(0)
  const seen = { hash: first.hash, count: first.transactions.length, root: first.state.stateRoot() }
  await submit(0, 1)
  await builder.extend(1, GAS, mempool)
  const second = cut(1, first)
  expect({ hash: first.hash, count: first.transactions.length, root: first.state.stateRoot() }).toEqual(seen)
  expect(second.transactions.map(({ partialIndex }) => partialIndex)).toEqual([0, 1])
  expect(sealPartial(second).hash).toBe(second.hash)
})

test('a block that is filled for a forced seal includes everything ready, however long it takes', async () => {
  const { builder, mempool, submit, cut } = await setUp(new CostlyClock(30))
  for (let nonce = 0; nonce < 40; nonce++) await submit(0, nonce)
  await builder.extend(0, GAS, mempool, Number.POSITIVE_INFINITY)
  expect(cut(0).transactions).toHaveLength(40)
})

test('a block that cannot be opened does not change the previous one', async () => {
  const { deps, builder, submit, mempool, cut } = await setUp()
  await submit(0, 0)
  await builder.extend(0, GAS, mempool)
  const before = cut(0)
  const engine: Engine = {
    ...deps.engine,
    run(state, env, message, guard) {
      if (message.to === HISTORY_STORAGE_ADDRESS) throw new TypeError('a bug in the engine')
      return deps.engine.run(state, env, message, guard)
    },
  }
  const overrides = { timestamp: 1_700_000_004 }
  await expect(PayloadBuilder.open({ ...deps, engine }, sealPartial(before), overrides, builder)).rejects.toThrow(
    TypeError,
  )
  expect(cut(0).hash).toBe(before.hash)
  const next = await PayloadBuilder.open(deps, sealPartial(before), overrides, builder)
  const onItsOwn = await PayloadBuilder.open(deps, sealPartial(before), overrides)
  expect(next.cut(0, undefined, 0).hash).toBe(onItsOwn.cut(0, undefined, 0).hash)
})

test('a block holds at most its limit of bytes; further transactions are in the next one', async () => {
  const { deps, builder, mempool, pool, submitRaw, submit, cut } = await setUp()
  const large = (nonce: number) =>
    devAccount(0).signTransaction({
      chainId: 31337,
      type: 'eip1559',
      nonce,
      gas: 1_400_000n,
      to: devAccount(9).address,
      data: `0x${'00'.repeat(130_000)}`,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    })
  for (let nonce = 0; nonce < 66; nonce++) submitRaw(await large(nonce))
  const small = await submit(1, 0, { tip: 1n })
  await builder.extend(0, GAS, mempool)
  const full = cut(0)
  expect(full.header.gasUsed).toBeLessThan(GAS / 2n)
  expect(full.size).toBe(encodeBlock(full).length)
  expect(full.size).toBeLessThanOrEqual(8_388_608)
  expect(full.transactions).toHaveLength(65)
  expect(full.transactions.at(-1)?.tx.hash).toBe(small)
  expect(pool.size().pending).toBe(2)

  const next = await PayloadBuilder.open(deps, sealPartial(full), { timestamp: 1_700_000_004 }, builder)
  await next.extend(0, GAS, mempool)
  expect(next.cut(0, undefined, 0).transactions.map(({ tx }) => tx.nonce)).toEqual([64n, 65n])
})
