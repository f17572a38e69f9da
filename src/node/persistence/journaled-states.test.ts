import { expect, test } from 'vitest'
import { type Address, type Hash, toWord } from '#primitives/hex.ts'
import { asPartial } from '#testing/node/storage/blocks.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { SealedBlock } from '../payload/block.ts'
import { createGenesis } from '../payload/genesis.ts'
import { createSpec } from '../spec/create-spec.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import { ChainStore, STATES_KEPT } from '../storage/chain-store.ts'
import { JournaledStates } from './journaled-states.ts'
import { decodeJson } from './json-record.ts'
import { LeftBlocks } from './left-blocks.ts'
import { PendingChanges } from './pending-changes.ts'
import type { BaseRecord } from './records.ts'
import { WHOLE_STATES } from './whole-state-rule.ts'

const genesis = createGenesis(createSpec({}), 0)
const hashOf = (number: number): Hash => (number === 0 ? genesis.hash : toWord(number))

function block(number: number, state = genesis.state): SealedBlock {
  const header = { ...genesis.header, number, parentHash: hashOf(number - 1) }
  return { ...genesis, hash: hashOf(number), header, state }
}

/** A clock by which each piece of work takes long, and whoever yields waits until it is released. */
class SlowClock extends FakeClock {
  #release = () => {}
  readonly #released = new Promise<void>((resolve) => {
    this.#release = resolve
  })

  override now(): number {
    this.jump(1_000)
    return super.now()
  }

  override yield(): Promise<void> {
    return this.#released
  }

  async release(): Promise<void> {
    this.#release()
    await new Promise((resolve) => void setImmediate(resolve))
  }
}

/** A chain, and what a journal has of its states. */
function journaledChain(clock = new FakeClock()) {
  const store = new ChainStore(genesis)
  store.setPending({ ...asPartial(block(1)), restarts: true })
  const changes = new PendingChanges()
  let prepared = 0
  const base = { number: 0, hash: genesis.hash }
  const states = new JournaledStates(
    { clock, fork: undefined, store },
    changes,
    { base, baseBytes: 0, differenceBytes: 0, codes: new Set(), differences: new Set() },
    new LeftBlocks([], new Map()),
    () => void prepared++,
  )
  const differences = new Set<number>()
  let written: BaseRecord = base
  let wholeStates = 1
  const numberOf = (key: string) => Number.parseInt(key.slice(0, 8), 16)
  return {
    /** Seals a block, which changes nothing unless another state is given. */
    seal(state?: StateSnapshot) {
      const next = block(store.head().header.number + 1, state)
      store.seal(next, { ...asPartial(block(next.header.number + 1)), restarts: true })
      states.seal(next)
    },
    /** As the end of a chain does, which may take longer for it. */
    close(mostMs = 1) {
      states.close()
      return states.prepareLastBase(mostMs)
    },
    /** As a write of the journal does. */
    write() {
      states.update()
      for (const change of changes.take()) {
        if (change.kind === 'clear') continue
        if (change.part === 'diffs' && change.kind === 'put') differences.add(numberOf(change.key))
        if (change.part === 'diffs' && change.kind === 'delete') differences.delete(numberOf(change.key))
        if (change.part === 'meta' && change.kind === 'put') written = decodeJson(change.value, 'base') as BaseRecord
        if (change.part === 'states') wholeStates += change.kind === 'put' ? 1 : -1
      }
    },
    /** How many whole states were encoded in the background. */
    prepared: () => prepared,
    /** The blocks that lead from the whole state to the newest one, and those whose changes are known. */
    kept: () => ({ base: written.number, differences: [...differences].toSorted((a, b) => a - b), wholeStates }),
  }
}

const fromTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

test('what leads from the whole state to the newest block stays while the next whole state is being written', async () => {
  const clock = new SlowClock()
  const chain = journaledChain(clock)
  const sealed = WHOLE_STATES.mostBlocks + STATES_KEPT + 50
  for (let i = 0; i < sealed; i++) {
    chain.seal()
    chain.write()
  }
  expect(chain.kept()).toMatchObject({ base: 0, differences: fromTo(1, sealed) })
  await clock.release()
  chain.write()
  expect(chain.kept()).toEqual({
    base: WHOLE_STATES.mostBlocks,
    differences: fromTo(WHOLE_STATES.mostBlocks + 1, sealed),
    wholeStates: 1,
  })
})

test('a whole state is written again after many blocks, and what led to states that are gone is deleted', () => {
  const chain = journaledChain()
  for (let sealed = 0; sealed < 1_100; sealed++) {
    chain.seal()
    chain.write()
  }
  const { base, differences, wholeStates } = chain.kept()
  expect(base).toBeGreaterThan(1_000)
  expect(differences).toEqual(fromTo(1_100 - STATES_KEPT + 1, 1_100))
  expect(wholeStates).toBe(1)
})

test('each whole state is encoded once', async () => {
  const clock = new SlowClock()
  const chain = journaledChain(clock)
  for (let i = 0; i < WHOLE_STATES.mostBlocks; i++) chain.seal()
  chain.write()
  await clock.release()
  for (let writes = 0; writes < 3; writes++) {
    chain.write()
    await clock.release()
  }
  expect(chain.kept().base).toBe(WHOLE_STATES.mostBlocks)
  expect(chain.prepared()).toBe(1)
})

/** A state of accounts besides those of every chain. */
function stateOf(accounts: number): StateSnapshot {
  const addresses = Array.from({ length: accounts }, (_, i): Address => `0x${i.toString(16).padStart(40, 'a')}`)
  const alloc = Object.fromEntries(addresses.map((address) => [address, { balance: '0x1' as const }]))
  return createGenesis(createSpec({ genesis: alloc }), 0).state
}

test('when a chain ends, its newest state is written whole if that makes it open faster, and stays within its time', async () => {
  const large = stateOf(20_000)
  const clock = new SlowClock()
  const chain = journaledChain(clock)
  chain.seal(large)
  chain.write()
  await clock.release()
  chain.write()
  expect(chain.kept().base).toBe(1)
  chain.seal(stateOf(19_000))
  chain.write()
  expect(await chain.close()).toBe(false)
  chain.seal(genesis.state)
  chain.seal(large)
  // A piece takes seconds of this clock.
  expect(await chain.close(2_000)).toBe(false)
  expect(await chain.close(100_000_000)).toBe(true)
  chain.write()
  expect(chain.kept()).toEqual({ base: 4, differences: [1, 2, 3, 4], wholeStates: 1 })
  expect(await chain.close(100_000_000)).toBe(false)
})

test('a whole state is written again as soon as much has changed', () => {
  const large = stateOf(12_000)
  const chain = journaledChain()
  const bases = [large, large, large, genesis.state, large].map((state) => {
    chain.seal(state)
    chain.write()
    return chain.kept().base
  })
  expect(bases).toEqual([1, 1, 1, 4, 5])
})
