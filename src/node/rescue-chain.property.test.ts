import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { META, numberOf } from './persistence/records.ts'
import type { JournalEntry } from './persistence/whole-chain.ts'
import { rescueChain } from './rescue-chain.ts'
import { JOURNAL_PARTS } from './storage/journal.ts'
import { MemoryJournal } from './storage/memory-journal.ts'

const BLOCKS = 12
const PAYEE = `0x${'aa'.repeat(20)}` as const
/** Stores its first word in slot 0. */
const CODE = '0x600580600a5f395ff35f355f5500'
const clock = new FakeClock()

async function entriesIn(journal: MemoryJournal): Promise<JournalEntry[]> {
  const parts = await Promise.all(
    JOURNAL_PARTS.map(async (part) => (await journal.readAll(part)).map(([key, value]) => ({ part, key, value }))),
  )
  return parts.flat()
}

async function journalWith(entries: readonly JournalEntry[]): Promise<MemoryJournal> {
  const journal = new MemoryJournal()
  await journal.write(entries.map((entry) => ({ kind: 'put', ...entry }) as const))
  return journal
}

/** Hash and balance at each height. */
async function heights(journal: MemoryJournal) {
  const { node, request } = await createTestNode({}, { journal, clock })
  const head = Number(await request('eth_blockNumber'))
  const found: { readonly hash: string | undefined; readonly balance: string }[] = []
  for (let number = 0; number <= head; number++) {
    const tag = `0x${number.toString(16)}` as const
    const block = await request('eth_getBlockByNumber', [tag, false])
    const balance = await request('eth_getBalance', [PAYEE, number === head ? 'latest' : tag]).catch(() => 'gone')
    found.push({ hash: block?.hash ?? undefined, balance })
  }
  const waiting = Object.keys((await request('txpool_content')).pending).length
  await node.close()
  return { found, waiting }
}

let entries: readonly JournalEntry[]
let whole: Awaited<ReturnType<typeof heights>>
beforeAll(async () => {
  const journal = new MemoryJournal()
  const { node, request } = await createTestNode({ mode: 'manual' }, { journal, clock })
  const [from, other] = DEV_KEYS.map(({ address }) => address)
  for (let block = 1; block <= BLOCKS; block++) {
    await request('eth_sendTransaction', [{ from, to: PAYEE, value: '0x1' }])
    if (block === 4) await request('eth_sendTransaction', [{ from, input: CODE, gas: '0x30d40' }])
    if (block === 8) await request('anvil_setBalance', [PAYEE, '0x1234'])
    else await request('evm_mine')
  }
  await request('eth_sendTransaction', [{ from: other, to: PAYEE, value: '0x2' }])
  await node.close()
  entries = await entriesIn(journal.reopen())
  whole = await heights(await journalWith(entries))
})

/** Rescues a chain of these entries, and opens what is rescued. */
async function rescued(left: readonly JournalEntry[]) {
  const { entries: good, head, missing } = await rescueChain({ before: left, behind: [] }, clock)
  const opened = await heights(await journalWith(good))
  expect(opened.found).toHaveLength(head.number + 1)
  expect(opened.found.at(-1)?.hash).toBe(head.hash)
  for (const [number, { hash, balance }] of opened.found.entries()) {
    expect(hash).toBe(whole.found[number]?.hash)
    if (balance !== 'gone') expect(balance).toBe(whole.found[number]?.balance)
  }
  return { head: head.number, missing, waiting: opened.waiting }
}

describe('of a chain whose entries are damaged', () => {
  test('all is rescued if what is lost can be made anew', async () => {
    for (const lost of [META.present, META.base]) {
      const { head, missing } = await rescued(entries.filter(({ part, key }) => part !== 'meta' || key !== lost))
      expect([lost, head, missing]).toEqual([lost, BLOCKS, []])
    }
  })

  test('a lost block ends what is rescued; the blocks above it are named, and whole', async () => {
    for (const lost of [1, 5, BLOCKS]) {
      const left = entries.filter(({ part, key }) => part !== 'blocks' || numberOf(key) !== lost)
      const { head, missing, waiting } = await rescued(left)
      expect(head).toBe(lost - 1)
      expect(missing).toEqual(
        whole.found.slice(lost).map(({ hash }, place) => ({ number: lost + place, hash, isWhole: place > 0 })),
      )
      expect(waiting).toBeGreaterThan(0)
    }
  })

  test('a crafted key that names a block far away costs neither time nor memory', async () => {
    const key = `${'f'.repeat(12)}-${'0'.repeat(64)}`
    const left = entries.filter(({ part, key: own }) => part !== 'blocks' || numberOf(own) !== BLOCKS)
    const { head, missing } = await rescued([...left, { part: 'blocks', key, value: Uint8Array.of(1) }])
    expect(head).toBe(BLOCKS - 1)
    expect(missing).toHaveLength(10_001)
    expect(missing.at(-1)).toMatchObject({ number: 2 ** 48 - 1, isWhole: false })
  })

  test('a changed block is as good as none', async () => {
    const left = entries.map((entry) => {
      if (entry.part !== 'blocks' || numberOf(entry.key) !== 6) return entry
      const value = Uint8Array.from(entry.value)
      value[200] = (value[200] as number) ^ 1
      return { ...entry, value }
    })
    expect((await rescued(left)).head).toBe(5)
  })

  test('whatever is lost or changed, a prefix is rescued, or it is said that nothing is', async () => {
    const runs = runsOf(40)
    const harm = fc.record({
      entry: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      byte: fc.option(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
      flip: fc.integer({ min: 1, max: 255 }),
    })
    let proven = 0
    await fc.assert(
      fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 4 }), async (harms) => {
        let left = [...entries]
        for (const { entry, byte, flip } of harms) {
          const place = Math.floor(entry * left.length)
          const one = left[place]
          if (!one) continue
          if (byte === null) left = left.toSpliced(place, 1)
          else {
            const value = Uint8Array.from(one.value)
            const at = Math.floor(byte * value.length)
            value[at] = (value[at] ?? 0) ^ flip
            left = left.with(place, { ...one, value })
          }
        }
        try {
          proven += (await rescued(left)).head
        } catch (error) {
          if (!(error instanceof Error) || error.name !== 'NothingProvenError') {
            // The version may be what was changed.
            if ((error as { code?: string }).code !== 'newer') throw error
          }
        }
      }),
      { numRuns: runs },
    )
    expect(proven).toBeGreaterThan(runs)
  })
})
