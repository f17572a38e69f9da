import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Hash, toWord } from '#primitives/hex.ts'
import type { SealedBlock } from '../payload/block.ts'
import { createGenesis } from '../payload/genesis.ts'
import { createSpec } from '../spec/create-spec.ts'
import { encodeBlock } from '../storage/block-record.ts'
import { ChainStore } from '../storage/chain-store.ts'
import type { JournalChange, StoredBytes } from '../storage/journal.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'
import { readBlocks } from './kept-blocks.ts'
import { keyOf } from './records.ts'

const genesis = createGenesis(createSpec({}), 0)

interface PlainBlock {
  readonly hash: Hash
  readonly parentHash: Hash
  readonly number: number
}

function recordOf({ hash, parentHash, number }: PlainBlock): Uint8Array {
  const block: SealedBlock = { ...genesis, hash, header: { ...genesis.header, number, parentHash } }
  return encodeBlock(block)
}

/** A tree of blocks, each with its parent: mostly the one before it, so that there are long chains. */
const tree = fc
  .array(
    fc.record({
      parent: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(30)),
      isLost: fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, fc.constant(true)),
      above: fc.oneof({ weight: 20, arbitrary: fc.constant(1) }, fc.constantFrom(0, 2, 7)),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((shapes) => {
    const all: PlainBlock[] = [{ hash: genesis.hash, parentHash: genesis.hash, number: 0 }]
    for (const [i, { parent, above }] of shapes.entries()) {
      const below = all[Math.max(0, i - parent)] as PlainBlock
      // Hashes in no order, as those of blocks with the same number are.
      const hash = toWord(((i + 1) * 7919) % 65_537)
      all.push({ hash, parentHash: below.hash, number: below.number + above })
    }
    return { all, stored: all.slice(1).filter((_, i) => !shapes[i]?.isLost) }
  })

/** The blocks of a chain, oldest first, or why there is none. */
function chainTo(stored: readonly PlainBlock[], head: Hash): PlainBlock[] | string {
  const chain: PlainBlock[] = []
  for (let hash = head; hash !== genesis.hash; ) {
    const block = stored.find((each) => each.hash === hash)
    if (!block) return `block ${hash} is missing`
    chain.unshift(block)
    hash = block.parentHash
  }
  return chain.every(({ number }, i) => number === i + 1) ? chain : 'its blocks are not numbered in order'
}

test('whatever tree of blocks a journal has, the store gets the chain to the head, and all others are left', async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.nat(), fc.constantFrom(0, 3_000, 1_000_000), async ({ all, stored }, at, memoryBytes) => {
      const head = (all[all.length - 1 - (at % Math.min(all.length, 9))] as PlainBlock).hash
      const journal = new MemoryJournal()
      await journal.write(
        stored.map((block): JournalChange => {
          return { kind: 'put', part: 'blocks', key: keyOf(block.number, block.hash), value: recordOf(block) }
        }),
      )
      const store = new ChainStore(genesis)
      const kept = await readBlocks(journal, store, memoryBytes)
      const chain = chainTo(stored, head)
      if (typeof chain === 'string') {
        expect(() => kept.settle(head)).toThrow(chain)
        return
      }
      kept.settle(head)
      expect(
        store
          .sealed()
          .slice(1)
          .map(({ hash }) => hash),
      ).toEqual(chain.map(({ hash }) => hash))
      for (const { hash, number } of chain) expect(store.blockByHash(hash)?.header.number).toBe(number)
      const left = stored.filter((block) => !chain.includes(block))
      for (const { hash } of left) expect(store.blockByHash(hash)).toBeUndefined()
      const byHash = (one: { readonly hash: Hash }, other: { readonly hash: Hash }) => (one.hash < other.hash ? -1 : 1)
      expect(kept.left().toSorted(byHash)).toEqual(
        left.map(({ hash, parentHash, number }) => ({ hash, parentHash, key: keyOf(number, hash) })).toSorted(byHash),
      )
      expect(store.memory().usedBytes).toBeLessThanOrEqual(Math.max(memoryBytes, 1_000_000))
      for (const { hash } of stored) {
        const other = chainTo(stored, hash)
        if (typeof other === 'string') expect(() => kept.branchTo(hash)).toThrow(other)
        else {
          const { from, blocks } = kept.branchTo(hash)
          expect(blocks.map((block) => block.hash)).toEqual(other.slice(from).map((block) => block.hash))
          expect(other.slice(0, from)).toEqual(chain.slice(0, from))
        }
      }
    }),
  )
})

test('blocks that are their own ancestors, or have the key of another one, are refused', async () => {
  const read = async (blocks: readonly (readonly [key: string, block: PlainBlock])[]) => {
    const journal = new MemoryJournal()
    await journal.write(
      blocks.map(([key, block]): JournalChange => ({ kind: 'put', part: 'blocks', key, value: recordOf(block) })),
    )
    return readBlocks(journal, new ChainStore(genesis), 0)
  }
  const one = { hash: toWord(1), parentHash: toWord(2), number: 1 }
  const other = { hash: toWord(2), parentHash: toWord(1), number: 2 }
  const circle = await read([one, other].map((block) => [keyOf(block.number, block.hash), block]))
  expect(() => circle.settle(toWord(2))).toThrow('its blocks are their own ancestors')
  await expect(read([[keyOf(1, toWord(3)), one]])).rejects.toThrow(`block ${toWord(1)} has the key of another one`)
})

test('while a chain is opened, an empty block takes a few bytes of memory, not an object', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const [from, to] = [5_000, 20_000]
  const blockAt = (number: number) => ({ hash: toWord(number), parentHash: toWord(number - 1), number })
  const placeAt = (number: number, length: number): StoredBytes & { readonly number: number } => {
    return { number, length, read: (start, end) => recordOf(blockAt(number)).slice(start, end) }
  }
  let before = 0
  let after = 0
  const kept = await readBlocks(
    {
      async readEach(_, visit) {
        let parentHash = genesis.hash
        for (let number = 1; number <= to; number++) {
          const block = { ...blockAt(number), parentHash }
          visit(keyOf(number, block.hash), recordOf(block))
          parentHash = block.hash
          if (number === from) before = used()
        }
        after = used()
      },
      shelf: {
        ready: () => Promise.resolve(),
        shelve: (key, { length }) => placeAt(Number.parseInt(key, 16), length),
        pack: ([first]) => {
          const { number, length } = first as ReturnType<typeof placeAt>
          return (index) => placeAt(number + index, length)
        },
      },
    },
    new ChainStore(genesis),
    0,
  )
  expect(kept.left()).toEqual([])
  expect((after - before) / (to - from)).toBeLessThan(100)
})
