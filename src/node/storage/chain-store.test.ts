import { expect, test } from 'vitest'
import { EMPTY_BYTES } from '#primitives/bytes.ts'
import { type Hash, toWord } from '#primitives/hex.ts'
import { asPartial } from '#testing/node/storage/blocks.ts'
import type { PartialBlock, SealedBlock } from '../payload/block.ts'
import { createGenesis } from '../payload/genesis.ts'
import { createSpec } from '../spec/create-spec.ts'
import { encodeBlock } from './block-record.ts'
import { ChainStore, STATES_KEPT } from './chain-store.ts'
import { StoredBlock } from './stored-block.ts'

const genesis = createGenesis(createSpec({}), 0)
const hashOf = (number: number): Hash => (number === 0 ? genesis.hash : toWord(number))

function block(number: number): SealedBlock {
  return { ...genesis, hash: hashOf(number), header: { ...genesis.header, number, parentHash: hashOf(number - 1) } }
}
const liveOn = (number: number): PartialBlock => ({ ...asPartial(block(number + 1)), restarts: true })

test('the newest blocks keep their states, and older states are released', () => {
  const store = new ChainStore(genesis)
  const withState = [1, 2, 3, 7]
  for (let number = 1; number <= 7; number++) {
    const state = withState.includes(number) ? () => genesis.state : undefined
    const stored = new StoredBlock(encodeBlock(block(number)), state)
    store.restore({ block: stored, hash: hashOf(number), number, tags: new Uint32Array(), bloom: EMPTY_BYTES })
  }
  store.adoptStates([])
  const kept = () => Array.from({ length: 9 }, (_, number) => number).filter((number) => store.hasState(number))
  expect(kept()).toEqual([0, ...withState])
  const seal = (number: number) => {
    store.seal(block(number), liveOn(number))
    store.tidy()
  }
  for (let number = 8; number < STATES_KEPT + 2; number++) seal(number)
  expect(kept()).toEqual([0, 2, 3, 7, 8])
  seal(STATES_KEPT + 2)
  seal(STATES_KEPT + 3)
  expect(kept()).toEqual([0, 7, 8])
})
