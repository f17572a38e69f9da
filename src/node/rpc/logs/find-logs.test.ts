import { expect, test } from 'vitest'
import { hexToBytes, toQuantity, toWord } from '#primitives/hex.ts'
import { asPartial, testBlock, testChain } from '#testing/node/storage/blocks.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { Log, SealedBlock } from '../../payload/block.ts'
import { createSpec } from '../../spec/create-spec.ts'
import { charactersOf, findLogs, MAX_BLOCK_RANGE, MAX_LOG_CHARACTERS } from './find-logs.ts'
import type { LogQuery } from './log-filter-params.ts'

const log: Log = { address: `0x${'ab'.repeat(20)}`, topics: [toWord(7)], data: Uint8Array.of(1) }
const spec = createSpec({})
const PRESENT = { gone: false }

const query = (range: Partial<LogQuery>): LogQuery => ({
  addresses: [],
  topics: [],
  blockHash: undefined,
  fromBlock: undefined,
  toBlock: undefined,
  ...range,
})

/** Time passes with every look at it, as on a busy machine. */
class BusyClock extends FakeClock {
  readonly #stepMs: number
  readonly onYield: () => void
  yields = 0

  constructor(stepMs: number, onYield: () => void = () => undefined) {
    super()
    this.#stepMs = stepMs
    this.onYield = onYield
  }

  override now(): number {
    this.jump(this.#stepMs)
    return super.now()
  }

  override yield(): Promise<void> {
    this.yields++
    this.onYield()
    return super.yield()
  }
}

const chainOf = (length: number, logs: readonly (readonly Log[])[]): SealedBlock[] =>
  Array.from({ length }, (_, number) => testBlock(number, logs))

test('a range above the block limit is refused, and one of exactly the limit is not', async () => {
  const block = testBlock(0)
  const head = { ...block, header: { ...block.header, number: 1_000_000 } }
  const chain = { ...testChain([block, block]), head: () => head, blockByNumber: () => block }
  const context = { chain, spec, clock: new FakeClock(), caller: PRESENT }
  await expect(findLogs(context, query({ fromBlock: 1, toBlock: MAX_BLOCK_RANGE + 1 }))).rejects.toMatchObject({
    code: 'invalid-params',
    message: 'query exceeds max block range 100000',
  })
  expect(await findLogs(context, query({ fromBlock: 1, toBlock: MAX_BLOCK_RANGE }))).toEqual([])
})

test('the live block counts as a block of the range', async () => {
  const block = testBlock(0)
  const at = (number: number) => ({ ...block, header: { ...block.header, number } })
  const [head, live] = [at(MAX_BLOCK_RANGE), asPartial(at(MAX_BLOCK_RANGE + 1))]
  const chain = { ...testChain([block, block]), head: () => head, pending: () => live, blockByNumber: () => block }
  const context = { chain, spec, clock: new FakeClock(), caller: PRESENT }
  await expect(findLogs(context, query({ fromBlock: 1, toBlock: 'pending' }))).rejects.toMatchObject({
    message: 'query exceeds max block range 100000',
  })
  expect(await findLogs(context, query({ fromBlock: 2, toBlock: 'pending' }))).toEqual([])
})

test('a query that takes too long is stopped', async () => {
  const context = { chain: testChain(chainOf(5_000, [])), spec, clock: new BusyClock(3), caller: PRESENT }
  await expect(findLogs(context, query({ fromBlock: 0 }))).rejects.toMatchObject({
    code: 'server',
    message: 'query timeout exceeded',
  })
})

test('a long query yields to others', async () => {
  const clock = new BusyClock(1)
  await findLogs(
    { chain: testChain(chainOf(100, [[log], [log]])), spec, clock, caller: PRESENT },
    query({ fromBlock: 0 }),
  )
  expect(clock.yields).toBeGreaterThan(20)
})

test('a query neither repeats nor loses a log if the chain changes meanwhile', async () => {
  const blocks = chainOf(5, [[log]])
  const before = blocks.map(({ header }) => toQuantity(header.number))
  const clock = new BusyClock(10, () => blocks.push(testBlock(blocks.length, [[log]])))
  const found = await findLogs(
    { chain: testChain(blocks), spec, clock, caller: PRESENT },
    query({ fromBlock: 0, toBlock: 'pending' }),
  )
  expect(blocks.length).toBeGreaterThan(5)
  expect(found.map(({ blockNumber }) => blockNumber)).toEqual(before)
  expect(found.map(({ blockHash }) => blockHash === toWord(0))).toEqual([false, false, false, false, true])
})

test('an answer has as many logs as its size allows, in any number of blocks', async () => {
  const most = Math.floor(MAX_LOG_CHARACTERS / charactersOf(log))
  const full = [Array.from({ length: Math.ceil(most / 2) }, () => log)]
  const context = { chain: testChain(chainOf(3, full)), spec, clock: new FakeClock(), caller: PRESENT }
  expect(await findLogs(context, query({}))).toHaveLength(Math.ceil(most / 2))
  await expect(findLogs(context, query({ fromBlock: 0 }))).rejects.toMatchObject({
    code: 'invalid-params',
    message: `query exceeds max size: its logs have over ${MAX_LOG_CHARACTERS} characters, ask for fewer blocks, addresses or topics`,
  })
})

test('no log is longer than it is counted', async () => {
  const long = { ...log, topics: [1, 2, 3, 4].map(toWord), data: new Uint8Array(100) }
  const block = testBlock(0, [[{ ...log, topics: [] }, log, long]])
  const numbered = { ...block, header: { ...block.header, number: 2 ** 50, timestamp: 2 ** 50 } }
  const context = { chain: testChain([numbered, testBlock(1)]), spec, clock: new FakeClock(), caller: PRESENT }
  for (const found of await findLogs(context, query({ blockHash: numbered.hash }))) {
    const { topics, data } = found
    const own = { address: found.address, topics, data: hexToBytes(data) }
    const unknown = `${found.logIndex}${found.transactionIndex}`.length
    expect(JSON.stringify(found).length - unknown + 2 * '0xffffffff'.length).toBeLessThanOrEqual(charactersOf(own))
  }
})

test('logs that are too large for one answer are refused, even those of a single block', async () => {
  const large = { ...log, data: new Uint8Array(MAX_LOG_CHARACTERS / 4) }
  const context = { chain: testChain(chainOf(2, [[large, large]])), spec, clock: new FakeClock(), caller: PRESENT }
  await expect(findLogs(context, query({ fromBlock: 0, toBlock: 0 }))).rejects.toMatchObject({
    code: 'invalid-params',
    message: `query exceeds max size: its logs have over ${MAX_LOG_CHARACTERS} characters, ask for fewer blocks, addresses or topics`,
  })
})
