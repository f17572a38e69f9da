import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  BlockUnreadableError,
  JOURNAL_PARTS,
  type Journal,
  type JournalChange,
  JournalError,
  type JournalFailure,
  type JournalPart,
  type StoredBytes,
} from '#node/storage/journal.ts'
import { equalBytes } from '#primitives/bytes.ts'
import { journalCommands, runAgainstModel } from './journal-model.ts'

/** A place for one journal. */
export interface JournalHost {
  /** Opens the journal: the first time, or for another owner. */
  open(): Promise<Journal>
  /** Deletes the place. */
  end(): Promise<void>
}

export interface JournalKind {
  readonly start: () => Promise<JournalHost>
  /** Whether the second owner takes over, or is refused until the first one has closed. */
  readonly secondOwner: 'takes-over' | 'is-refused'
}

/** A change that puts an entry; a number as the value means one byte. */
export function put(part: JournalPart, key: string, value: Uint8Array | number): JournalChange {
  return { kind: 'put', part, key, value: typeof value === 'number' ? Uint8Array.of(value) : value }
}

/**
 * The code of a journal's refusal.
 *
 * @throws If it does not refuse, or throws an error of another kind.
 */
export async function failureOf(refused: Promise<unknown>): Promise<JournalFailure> {
  const error = await refused.then(
    () => new Error('the journal has not refused'),
    (reason: unknown) => reason,
  )
  if (error instanceof JournalError) return error.code
  throw error
}

/** Shelves an entry, as soon as the journal can. */
function shelvedIn(journal: Journal, key: string, value: Uint8Array): Promise<StoredBytes> {
  return vi.waitFor(() => {
    const place = journal.shelf?.shelve(key, value)
    if (!place) throw new Error('the journal does not shelve it')
    return place
  })
}

/** Tests what every journal promises. */
export function testJournal(name: string, { start, secondOwner }: JournalKind): void {
  describe(`${name}, as every journal:`, () => {
    let host: JournalHost
    let journal: Journal
    beforeEach(async () => {
      host = await start()
      journal = await host.open()
    })
    afterEach(() => host.end())

    async function reopen(): Promise<void> {
      await journal.close()
      journal = await host.open()
    }

    test('is empty at first', async () => {
      for (const part of JOURNAL_PARTS) expect(await journal.readAll(part)).toEqual([])
      expect(await journal.read('meta', 'a')).toBeUndefined()
    })

    test.each(['relaxed', 'strict'] as const)('keeps a %s write for the next owner', async (durability) => {
      await journal.write([put('blocks', 'a', 1), put('meta', 'a', 2)], durability)
      await reopen()
      expect(await journal.readAll('blocks')).toEqual([['a', Uint8Array.of(1)]])
      expect(await journal.read('meta', 'a')).toEqual(Uint8Array.of(2))
      expect(await journal.readAll('diffs')).toEqual([])
    })

    test('makes the changes of a write in their order', async () => {
      await journal.write([put('blocks', 'before', 1), put('diffs', 'a', 1)], 'relaxed')
      const changes: JournalChange[] = [
        put('blocks', 'a', 1),
        { kind: 'clear', part: 'blocks' },
        put('blocks', 'b', 1),
        put('blocks', 'b', 2),
        put('blocks', 'c', 3),
        { kind: 'delete', part: 'blocks', key: 'c' },
        { kind: 'delete', part: 'blocks', key: 'never there' },
      ]
      await journal.write(changes, 'relaxed')
      expect(await journal.readAll('blocks')).toEqual([['b', Uint8Array.of(2)]])
      expect(await journal.readAll('diffs')).toEqual([['a', Uint8Array.of(1)]])
    })

    test('applies overlapping writes in order', async () => {
      const ended: number[] = []
      const writes = Array.from({ length: 40 }, async (_, index) => {
        await journal.write([put('meta', 'head', index), put('blocks', String(index), index)], 'relaxed')
        ended.push(index)
      })
      await Promise.all(writes)
      expect(ended).toEqual(Array.from({ length: 40 }, (_, index) => index))
      expect(await journal.read('meta', 'head')).toEqual(Uint8Array.of(39))
      await reopen()
      expect(await journal.read('meta', 'head')).toEqual(Uint8Array.of(39))
      expect(await journal.readAll('blocks')).toHaveLength(40)
    })

    test('a read sees the writes that began before it', async () => {
      const written = journal.write([put('meta', 'a', 1)], 'strict')
      expect(await journal.read('meta', 'a')).toEqual(Uint8Array.of(1))
      await written
    })

    test('finishes pending writes when it closes, and then refuses everything', async () => {
      let ended = 0
      for (const value of [1, 2, 3]) {
        void journal.write([put('meta', 'a', value)], 'relaxed').then(() => ended++)
      }
      await journal.close()
      expect(ended).toBe(3)
      expect(await failureOf(journal.write([put('meta', 'a', 4)], 'strict'))).toBe('unavailable')
      expect(await failureOf(journal.read('meta', 'a'))).toBe('unavailable')
      expect(await failureOf(journal.readAll('meta'))).toBe('unavailable')
      await journal.close()
      journal = await host.open()
      expect(await journal.read('meta', 'a')).toEqual(Uint8Array.of(3))
    })

    test('orders all keys by their UTF-16 code units', async () => {
      const keys = ['', ' ', '0x1', '10', '9', 'Z', 'a', 'ab', 'é', '\uD800', '\u{1F600}', '\uFFFF']
      for (const key of keys.toReversed()) await journal.write([put('states', key, key.length)], 'relaxed')
      await reopen()
      expect(await journal.readAll('states')).toEqual(keys.map((key) => [key, Uint8Array.of(key.length)]))
      for (const key of keys) expect(await journal.read('states', key)).toEqual(Uint8Array.of(key.length))
    })

    test('keeps values of 5 MB, and empty ones', async () => {
      const big = new Uint8Array(5_000_000).map((_, index) => index * 31)
      await journal.write([put('snapshots', 'big', big), put('snapshots', 'empty', new Uint8Array(0))], 'strict')
      await reopen()
      const found = await journal.read('snapshots', 'big')
      expect(found !== undefined && equalBytes(found, big)).toBe(true)
      const [[, first], ...rest] = (await journal.readAll('snapshots')) as [readonly [string, Uint8Array]]
      expect(equalBytes(first, big)).toBe(true)
      expect(rest).toEqual([['empty', new Uint8Array(0)]])
    })

    test('keeps many entries, and forgets them all at once', async () => {
      const keys = Array.from({ length: 1_200 }, (_, index) => `0x${index.toString(16).padStart(4, '0')}`)
      const values = keys.map((_, index) => new Uint8Array(50).fill(index))
      const changes = keys.map((key, index) => put('transactions', key, values[index] as Uint8Array))
      await journal.write(changes, 'relaxed')
      await reopen()
      expect(await journal.readAll('transactions')).toEqual(keys.map((key, index) => [key, values[index]]))
      await journal.write([{ kind: 'clear', part: 'transactions' }], 'relaxed')
      await reopen()
      expect(await journal.readAll('transactions')).toEqual([])
    })

    test('takes values as they are when the write begins', async () => {
      const around = Uint8Array.of(0, 1, 2, 3)
      const written = journal.write([put('meta', 'a', around.subarray(1, 3))], 'relaxed')
      around.fill(9)
      await written
      const found = (await journal.read('meta', 'a')) as Uint8Array
      expect(found).toEqual(Uint8Array.of(1, 2))
      found.fill(7)
      expect(await journal.readAll('meta')).toEqual([['a', Uint8Array.of(1, 2)]])
    })

    test('visits all entries of a part in the order of their keys', async () => {
      const keys = Array.from({ length: 700 }, (_, index) => `${String(index).padStart(4, '0')}-b`)
      const changes = keys.toReversed().map((key) => put('blocks', key, new Uint8Array(Number.parseInt(key) * 7)))
      await journal.write([...changes, put('diffs', 'a', 1)], 'relaxed')
      const visited: (readonly [string, number])[] = []
      await journal.readEach('blocks', (key, value) => visited.push([key, value.length]))
      expect(visited).toEqual(keys.map((key) => [key, Number.parseInt(key) * 7]))
    })

    test('what is shelved is read without waiting, whatever becomes of its entry, until the journal is closed', async () => {
      const block = fc.record({ key: fc.constantFrom('a', 'b', 'c'), length: fc.integer({ min: 1, max: 300 }) })
      const steps = fc.array(
        fc.oneof(
          { weight: 4, arbitrary: block.map((of) => ({ kind: 'write', ...of }) as const) },
          { weight: 4, arbitrary: block.map((of) => ({ kind: 'shelve', ...of }) as const) },
          {
            weight: 4,
            arbitrary: fc.record({
              kind: fc.constant('pack' as const),
              from: fc.nat(2),
              count: fc.integer({ min: 1, max: 9 }),
            }),
          },
          { weight: 2, arbitrary: block.map(({ key }) => ({ kind: 'delete', key }) as const) },
          { weight: 1, arbitrary: fc.constant({ kind: 'clear' } as const) },
        ),
        { minLength: 15, maxLength: 40 },
      )
      let shelved = 0
      let packed = 0
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          const written = new Map<string, Uint8Array>()
          const places: { place: StoredBytes; readonly value: Uint8Array }[] = []
          await journal.write([{ kind: 'clear', part: 'blocks' }], 'relaxed')
          for (const [at, step] of all.entries()) {
            if (step.kind === 'write') {
              const value = new Uint8Array(step.length).fill(at)
              written.set(step.key, value)
              await journal.write([put('blocks', step.key, value)], 'relaxed')
            } else if (step.kind === 'shelve') {
              const value = written.get(step.key)
              const place = value && (await shelvedIn(journal, step.key, value))
              if (place) places.push({ place, value })
            } else if (step.kind === 'pack') {
              const some = places.slice(step.from, step.from + step.count)
              const placeAt = some.length > 0 && journal.shelf?.pack(some.map(({ place }) => place))
              for (const [index, each] of some.entries()) each.place = placeAt ? placeAt(index) : each.place
              packed += some.length
            } else if (step.kind === 'delete') {
              written.delete(step.key)
              await journal.write([{ kind: 'delete', part: 'blocks', key: step.key }], 'relaxed')
            } else {
              written.clear()
              await journal.write([{ kind: 'clear', part: 'blocks' }], 'relaxed')
            }
            for (const { place, value } of places) {
              expect(place.length).toBe(value.length)
              expect(place.read()).toEqual(value)
              expect(place.read(1, Math.min(5, value.length))).toEqual(value.subarray(1, 5))
            }
          }
          shelved += places.length
        }),
        { numRuns: 40 },
      )
      expect(shelved).toBeGreaterThan(20)
      expect(packed).toBeGreaterThan(20)
      await journal.write([put('blocks', 'a', 7)], 'relaxed')
      const place = await shelvedIn(journal, 'a', Uint8Array.of(7))
      await journal.close()
      expect(() => place.read()).toThrow(BlockUnreadableError)
      journal = await host.open()
      expect(await journal.read('blocks', 'a')).toEqual(Uint8Array.of(7))
    })

    test('takes an empty write', async () => {
      await journal.write([], 'strict')
      expect((await journal.usage()).usedBytes ?? 0).toBeGreaterThanOrEqual(0)
    })

    if (secondOwner === 'takes-over') {
      test('refuses every write of a replaced owner, with all of its changes', async () => {
        await journal.write([put('meta', 'a', 1)], 'strict')
        const second = await host.open()
        expect(await second.read('meta', 'a')).toEqual(Uint8Array.of(1))
        const changes: JournalChange[] = [put('meta', 'a', 2), { kind: 'clear', part: 'meta' }, put('blocks', 'a', 2)]
        expect(await failureOf(journal.write(changes, 'relaxed'))).toBe('taken-over')
        expect(await failureOf(journal.write([], 'strict'))).toBe('taken-over')
        await second.write([put('meta', 'b', 3)], 'relaxed')
        expect(await failureOf(journal.write(changes, 'strict'))).toBe('taken-over')
        await journal.close()
        expect(await second.readAll('meta')).toEqual([
          ['a', Uint8Array.of(1)],
          ['b', Uint8Array.of(3)],
        ])
        expect(await second.readAll('blocks')).toEqual([])
        await second.close()
      })
    } else {
      test('refuses a second owner until the first has closed', async () => {
        expect(await failureOf(host.open())).toBe('unavailable')
        await journal.write([put('meta', 'a', 1)], 'relaxed')
        await reopen()
        expect(await journal.read('meta', 'a')).toEqual(Uint8Array.of(1))
      })
    }
  })

  test(`${name}: whatever is written, and whenever it is reopened, it equals a map`, async () => {
    await fc.assert(
      fc.asyncProperty(journalCommands(), async (commands) => {
        const host = await start()
        try {
          await runAgainstModel(host, secondOwner, commands)
        } finally {
          await host.end()
        }
      }),
      { numRuns: 60 },
    )
  })
}
