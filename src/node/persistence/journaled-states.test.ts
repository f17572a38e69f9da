import { expect, test } from 'vitest'
import { type Hash, toWord } from '#primitives/hex.ts'
import { asPartial } from '#testing/node/storage/blocks.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { SealedBlock } from '../payload/block.ts'
import { createGenesis } from '../payload/genesis.ts'
import { createSpec } from '../spec/create-spec.ts'
import { ChainStore, STATES_KEPT } from '../storage/chain-store.ts'
import { JournaledStates } from './journaled-states.ts'
import { decodeJson } from './json-record.ts'
import { PendingChanges } from './pending-changes.ts'
import type { BaseRecord } from './records.ts'

const genesis = createGenesis(createSpec({}), 0)
const hashOf = (number: number): Hash => (number === 0 ? genesis.hash : toWord(number))

function block(number: number): SealedBlock {
  return { ...genesis, hash: hashOf(number), header: { ...genesis.header, number, parentHash: hashOf(number - 1) } }
}

/** A chain of blocks that change nothing, and what a journal has of their states. */
function journaledChain() {
  const store = new ChainStore(genesis)
  store.setPending({ ...asPartial(block(1)), restarts: true })
  const changes = new PendingChanges()
  const base = { number: 0, hash: genesis.hash }
  const states = new JournaledStates(
    { clock: new FakeClock(), fork: undefined, store },
    changes,
    { base, codes: new Set(), differences: new Set() },
    () => {},
  )
  const differences = new Set<number>()
  let written: BaseRecord = base
  let wholeStates = 1
  const numberOf = (key: string) => Number.parseInt(key.slice(0, 8), 16)
  return {
    seal(count: number) {
      for (let i = 0; i < count; i++) {
        const next = block(store.head().header.number + 1)
        store.seal(next, { ...asPartial(block(next.header.number + 1)), restarts: true })
        states.seal(next)
      }
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
    /** The blocks that lead from the whole state to the newest one, and those whose changes are known. */
    kept: () => ({ base: written.number, differences: [...differences].toSorted((a, b) => a - b), wholeStates }),
  }
}

const fromTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

test('what leads from the whole state to the newest block stays, also if the next whole state comes late', () => {
  const chain = journaledChain()
  chain.seal(STATES_KEPT + 50)
  chain.write()
  expect(chain.kept()).toMatchObject({ base: 0, differences: fromTo(1, STATES_KEPT + 50) })
})

test('a whole state is written again after many blocks, and what led to states that are gone is deleted', () => {
  const chain = journaledChain()
  for (let sealed = 0; sealed < 1_100; sealed++) {
    chain.seal(1)
    chain.write()
  }
  const { base, differences, wholeStates } = chain.kept()
  expect(base).toBeGreaterThan(1_000)
  expect(differences).toEqual(fromTo(1_100 - STATES_KEPT + 1, 1_100))
  expect(wholeStates).toBe(1)
})
