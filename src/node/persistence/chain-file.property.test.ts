import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { editFile, editRecord, entriesOfFile, type FileEdit, setField } from '#testing/node/persistence/chain-files.ts'
import { craftBlocks } from '#testing/node/persistence/craft-blocks.ts'
import { exportSample } from '#testing/node/persistence/sample-chain.ts'
import { createTestNode, RpcError } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { Log } from '../payload/block.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'

// To try more files: FILES=100000 npx vitest run --project unit src/node/persistence/chain-file.property.test.ts `npm
// run fuzz` sets a time instead of a number, and a seed that reproduces the files.
const SECONDS = process.env['FUZZ_SECONDS'] === undefined ? undefined : Number(process.env['FUZZ_SECONDS'])
const SEED = process.env['FUZZ_SEED'] === undefined ? undefined : Number(process.env['FUZZ_SEED'])
const FILES = Number(process.env['FILES'] ?? (SECONDS === undefined ? 60 : 1_000_000))
/** A small file is accepted or refused in a few hundredths of a second. Longer than this is a hang. */
const TOO_LONG_MS = 10_000
/** Milliseconds that the slowest machine may need for one file. */
const MS_PER_FILE = 2_000

let file: Uint8Array

beforeAll(async () => {
  file = await exportSample()
})

/** Values that a person, a bug or an attacker would put into a field. */
const anything = fc.oneof(
  fc.constantFrom(
    0,
    -1,
    -0.5,
    1e-9,
    1e300,
    -1e300,
    2 ** 31,
    2 ** 53,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    '',
    '0x',
    '__proto__',
    '9'.repeat(10_000),
    `0x${'f'.repeat(10_000)}`,
    [],
    {},
    [[[[]]]],
    Array.from({ length: 200_000 }, () => 0),
    JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as unknown,
  ),
  fc.integer(),
  fc.double(),
  fc.jsonValue(),
)

/** Replaces one field of a record. Every field is equally likely, at any depth. */
const fieldEdit = fc
  .tuple(fc.constantFrom('chain', 'present', 'present', 'base'), fc.nat(), anything)
  .map(([key, turn, value]) =>
    editRecord(key, (record) => {
      const ways = waysInto(record)
      // A removed record has no JSON; `null` stands for it.
      return replaceAt(record, ways[turn % ways.length] ?? [], value) ?? null
    }),
  )

/** Paths to all fields of a record, and to the record itself. */
function waysInto(record: unknown): readonly (readonly string[])[] {
  if (typeof record !== 'object' || record === null) return [[]]
  const deeper = Object.entries(record).flatMap(([name, field]) => waysInto(field).map((way) => [name, ...way]))
  return [[], ...deeper]
}

function replaceAt(record: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined || typeof record !== 'object' || record === null) return value
  const copy = (Array.isArray(record) ? record.slice() : { ...record }) as Record<string, unknown>
  copy[name] = replaceAt(copy[name], rest, value)
  return copy
}

/** Changes, cuts off or repeats bytes of an entry. */
const byteEdit = fc
  .tuple(fc.nat(), fc.nat(), fc.uint8Array({ maxLength: 40 }), fc.nat({ max: 40 }))
  .map(([which, where, bytes, gone]): FileEdit => {
    return (entries) =>
      entries.map((entry, i) => {
        if (i !== which % entries.length) return entry
        const { value } = entry
        const at = where % (value.length + 1)
        return { ...entry, value: Uint8Array.from([...value.subarray(0, at), ...bytes, ...value.subarray(at + gone)]) }
      })
  })

/** Removes, reorders or renames entries, or swaps their values. */
const entryEdit = fc
  .tuple(fc.constantFrom('drop', 'move', 'swap', 'rename', 'again'), fc.nat(), fc.nat(), fc.string({ maxLength: 200 }))
  .map(([how, one, other, name]): FileEdit => {
    return (entries) => {
      const [i, j] = [one % entries.length, other % entries.length]
      const [a, b] = [entries[i], entries[j]] as const
      if (!a || !b) return entries
      switch (how) {
        case 'drop':
          return entries.toSpliced(i, 1)
        case 'move':
          return entries.toSpliced(i, 1).toSpliced(j, 0, a)
        case 'swap':
          return entries.with(i, { ...a, value: b.value }).with(j, { ...b, value: a.value })
        case 'rename':
          return entries.with(i, { ...a, key: name.replace(/[^\0-\xff]/g, '?') })
        default:
          return [...entries, { ...a, part: b.part }]
      }
    }
  })

const amount = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    20_999n,
    21_000n,
    2n ** 32n,
    2n ** 40n,
    2n ** 53n,
    2n ** 63n,
    2n ** 64n,
    2n ** 256n,
    2n ** 500n,
  ),
  fc.bigInt({ min: 0n, max: 2n ** 64n }),
)
const count = fc.oneof(fc.constantFrom(0, 1, 99, 100, 2 ** 32, 2 ** 43, 2 ** 50), fc.nat())
const extraData = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.uint8Array({ minLength: 16, maxLength: 16 }).map((rule) => Uint8Array.from([1, ...rule])),
  fc.constant(new Uint8Array(17).fill(0xff, 9).fill(1, 0, 1)),
)

/** Changes one field of a sealed block, whose hash is then right again. */
const blockEdit = fc
  .tuple(fc.nat({ max: 3 }), fc.nat(), amount, count, extraData, fc.integer({ min: -5, max: 5 }))
  .map(([which, turn, big, whole, bytes, step]) =>
    craftBlocks(({ header, transactions, edits: changes }, place) => {
      if (place !== which) return
      const included = transactions[whole % transactions.length]
      const edit = changes[whole % changes.length]
      const ways: readonly (() => unknown)[] = [
        () => (header.gasLimit = big),
        () => (header.baseFeePerGas = big),
        () => (header.timestamp = whole),
        () => (header.timestamp += step),
        () => (header.extraData = bytes),
        () => (header.number = whole),
        () => (header.coinbase = `0x${'00'.repeat(20)}`),
        () => transactions.reverse(),
        () => transactions.pop(),
        () => included && transactions.push(included),
        () => included && (included.partialIndex = whole),
        () => included && (included.receipt.gasUsed = big),
        () => included && (included.receipt.gasUsed += 1n),
        () => included && (included.receipt.status = included.receipt.status === 1 ? 0 : 1),
        () => included && (included.receipt.logs = Array.from({ length: 1 + (whole % 50) }, () => logOf(whole % 9))),
        () => edit && (edit.position = whole),
        () => edit && (edit.partialIndex = whole),
        () => changes.pop(),
      ]
      ways[turn % ways.length]?.()
    }),
  )

function logOf(topics: number): Log {
  return {
    address: `0x${'00'.repeat(20)}`,
    topics: Array.from({ length: topics }, () => `0x${'11'.repeat(32)}` as const),
    data: new Uint8Array(topics),
  }
}

// Blocks and fields come first: after byte edits they may no longer be readable.
const edits = fc
  .tuple(
    fc.array(blockEdit, { maxLength: 2 }),
    fc.array(fieldEdit, { maxLength: 2 }),
    fc.array(fc.oneof(byteEdit, entryEdit), { maxLength: 1 }),
  )
  .map((each) => each.flat())

/** A file with that hash of its pending block, if this is what is wrong with it. */
function withLiveHash(changed: Uint8Array, { message }: RpcError): Uint8Array | undefined {
  const hash = /the rebuilt live block is (0x\w+), not/.exec(message)?.[1]
  return hash === undefined ? undefined : editFile(changed, setField('present', 'live.hash', hash))
}

/** Imports the file into a fresh node. Returns its journal, or `undefined` if the file was refused. */
async function importFile(changed: Uint8Array, again = true): Promise<MemoryJournal | undefined> {
  const journal = new MemoryJournal()
  const { node, request, requestLoosely } = await createTestNode(
    { mode: 'manual', seed: 9 },
    { journal, onReplaced: () => {} },
  )
  const before = await request('eth_getBlockByNumber', ['latest', false])
  try {
    await requestLoosely('devnet_importChain', [Buffer.from(changed).toString('base64')])
    await node.close()
    return journal
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    expect(error.error.code).toBe(-32602)
    expect(error.message.length).toBeLessThan(600)
    expect(await request('eth_getBlockByNumber', ['latest', false])).toEqual(before)
    await node.close()
    const better = again ? withLiveHash(changed, error) : undefined
    return better && importFile(better, false)
  }
}

/** Opens the chain as the next start would, and lets it run for a while. */
async function goOn(journal: MemoryJournal): Promise<string> {
  const clock = new FakeClock()
  const { node, request, logged } = await createTestNode({}, { journal: journal.reopen(), clock })
  const before = Number(await request('eth_blockNumber'))
  await request('devnet_tick', [3])
  await request('devnet_seal', [1])
  expect(Number(await request('eth_blockNumber'))).toBeGreaterThan(before)
  for (let number = 0; number <= before; number++) {
    const block = `0x${number.toString(16)}`
    await request('eth_getBlockReceipts', [block])
    await request('eth_feeHistory', ['0x1', block, [50]])
    // A block may say of its transactions what they did not do.
    await request('debug_traceBlockByNumber', [block]).catch(({ error }: RpcError) => expect(error.code).toBe(-32000))
  }
  await request('eth_getBlockByNumber', ['pending', true])
  await request('devnet_exportState')
  expect(
    await request('eth_sendTransaction', [
      { from: (await request('eth_accounts'))[0], to: `0x${'00'.repeat(20)}` },
    ]).catch(String),
  ).toBeTypeOf('string')
  await request('devnet_seal', [1])
  expect(logged.filter((line) => line.includes('internal'))).toEqual([])
  const { hash } = (await request('eth_getBlockByNumber', ['latest', false])) ?? {}
  await node.close()
  return String(hash)
}

test(
  'a chain file with any change is refused with a clear message, or opens again at every later start',
  async () => {
    let taken = 0
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const changed = changes.reduce((now, edit) => editFile(now, edit), file)
        const journal = await importFile(changed)
        if (journal) {
          taken++
          const head = await goOn(journal)
          // The next start opens what the last one left.
          const { node, request } = await createTestNode({}, { journal: journal.reopen() })
          expect((await request('eth_getBlockByNumber', ['latest', false]))?.hash).toBe(head)
          await node.close()
        }
        expect(Reflect.get({}, 'polluted')).toBeUndefined()
      }),
      {
        numRuns: FILES,
        timeout: TOO_LONG_MS,
        ...(SEED !== undefined && { seed: SEED }),
        ...(SECONDS !== undefined && { interruptAfterTimeLimit: SECONDS * 1_000, markInterruptAsFailure: false }),
      },
    )
    // Some changes are harmless: they mean nothing, or a real chain could have them.
    expect(taken).toBeGreaterThan(0)
  },
  FILES * MS_PER_FILE + TOO_LONG_MS,
)

test('the node keeps answering while it refuses a chain file of a hundred thousand entries', async () => {
  const filler = Array.from({ length: 100_000 }, (_, i) => ({
    part: 'diffs' as const,
    key: `x${i}`,
    value: Uint8Array.of(1),
  }))
  expect(await importFile(editFile(file, (entries) => [...entries, ...filler]))).toBeUndefined()
})

test('the sample file has entries of every kind', () => {
  expect(new Set(entriesOfFile(file).map(({ part }) => part))).toEqual(
    new Set(['meta', 'blocks', 'diffs', 'states', 'transactions']),
  )
})
