import { beforeAll, describe, expect, test } from 'vitest'
import { editFile, setField } from '#testing/node/persistence/chain-files.ts'
import { type CraftedBlock, craftBlocks } from '#testing/node/persistence/craft-blocks.ts'
import { exportSample } from '#testing/node/persistence/sample-chain.ts'
import { createTestNode, type RpcError, type TestNode } from '#testing/node/test-node.ts'
import { encodeExtraData } from '../spec/extra-data.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'

let file: Uint8Array
let victim: TestNode
beforeAll(async () => {
  file = await exportSample()
  victim = await createTestNode({ mode: 'manual', seed: 9 }, { journal: new MemoryJournal(), onReplaced: () => {} })
})

/** The error of an import; `undefined` if there is none. The node that imports a chain is done. */
async function refusalOf(changed: Uint8Array, { requestLoosely }: TestNode = victim): Promise<string | undefined> {
  try {
    await requestLoosely('devnet_importChain', [Buffer.from(changed).toString('base64')])
    return undefined
  } catch (thrown) {
    const { error } = thrown as RpcError
    expect(error.code).toBe(-32602)
    return error.message
  }
}

/** The file with changes in its first block, which has two transactions, and with right hashes. */
function crafted(change: (first: CraftedBlock) => void): Uint8Array {
  return editFile(
    file,
    craftBlocks((block, place) => {
      if (place === 0) change(block)
    }),
  )
}

const rule = (denominator: bigint, elasticity: bigint, minBaseFee = 0n) =>
  encodeExtraData({ denominator, elasticity, minBaseFee })
const log = (topics: number) => ({
  address: `0x${'11'.repeat(20)}` as const,
  topics: Array.from({ length: topics }, () => `0x${'22'.repeat(32)}` as const),
  data: new Uint8Array(),
})
const L1 = {
  fee: 0n,
  gasUsed: 0n,
  baseFee: 0n,
  blobBaseFee: 0n,
  baseFeeScalar: 0n,
  blobBaseFeeScalar: 0n,
  operatorFeeScalar: 0n,
  operatorFeeConstant: 0n,
}
const lastOf = ({ transactions }: CraftedBlock) => transactions.at(-1) as CraftedBlock['transactions'][number]

describe('a chain file is refused by the name of the field if a block is none that a node seals, whatever its hash (14):', () => {
  test.each<[what: string, change: (first: CraftedBlock) => void, words: RegExp]>([
    ['no gas', ({ header }) => void (header.gasLimit = 0n), /block 1 of the file: gasLimit must be from 5000 /],
    [
      'gas without end',
      ({ header }) => void (header.gasLimit = 2n ** 500n),
      /gasLimit must be .* a number of more than/,
    ],
    ['a base fee of 257 bits', ({ header }) => void (header.baseFeePerGas = 2n ** 256n), /baseFeePerGas must have/],
    ['no fee rule', ({ header }) => void (header.extraData = new Uint8Array()), /extraData must be 17 bytes/],
    ['another fee rule', ({ header }) => void (header.extraData = new Uint8Array(17)), /extraData must be 17 bytes/],
    ['a division by 0', ({ header }) => void (header.extraData = rule(1n, 0n)), /extraData must have a base fee rule/],
    ['another one', ({ header }) => void (header.extraData = rule(0n, 1n)), /extraData must have a base fee rule/],
    ['no gas target', ({ header }) => void (header.extraData = rule(1n, 2n ** 32n - 1n)), /extraData must have/],
    ['a huge floor', ({ header }) => void (header.extraData = rule(1n, 1n, 2n ** 64n - 1n)), /extraData must have/],
    ['the time of its parent', ({ header }) => void (header.timestamp -= 2), /block 1: timestamp must be above/],
    ['the time of its child', ({ header }) => void (header.timestamp += 2), /block 2 of the file: timestamp must be/],
    ['more gas used than there is', (first) => void (lastOf(first).receipt.gasUsed = 2n ** 63n), /gasUsed must be at/],
    [
      'too little gas used',
      (first) => void (lastOf(first).receipt.gasUsed = 0n),
      /transaction 1: gasUsed must be from/,
    ],
    [
      'too much of it',
      (first) => void (lastOf(first).receipt.gasUsed = 2n ** 28n),
      /transaction 1: gasUsed must be from/,
    ],
    [
      'a payment for L1 of 257 bits',
      (first) => void (lastOf(first).receipt.l1 = { ...L1, fee: 2n ** 256n }),
      /what it paid for L1 must have at most 256 bits/,
    ],
    ['a log with five topics', (first) => void (lastOf(first).receipt.logs = [log(5)]), /a log has more than 4 topics/],
    [
      'a partial block of no chain',
      (first) => void (lastOf(first).partialIndex = 2 ** 50),
      /its partial block must be/,
    ],
    [
      'partial blocks that go back',
      (first) => void ((first.transactions[0] as { partialIndex: number }).partialIndex = 9),
      /its partial block must be from 9/,
    ],
    [
      'a fee below the base fee',
      ({ header }) => void (header.baseFeePerGas = 2n ** 100n),
      /transaction 0: its fee must/,
    ],
    [
      'an edit at no place',
      ({ edits }) => void edits.push({ position: 3, partialIndex: 0, difference: [] }),
      /edit 0: its position must be from 0 to 2/,
    ],
  ])('%s', async (_what, change, words) => {
    expect(await refusalOf(crafted(change))).toMatch(words)
  })

  test('a transaction of another chain', async () => {
    const other = editFile(file, setField('chain', 'options.chainId', 5))
    expect(await refusalOf(other)).toMatch(/transaction 0: chainId must be 5, not/)
  })
})

test('an import trusts what sealed blocks say their transactions did; who executes one again is told that it did something else', async () => {
  const forged = crafted((first) => void (lastOf(first).receipt.gasUsed += 1n))
  const message = await refusalOf(forged)
  // The pending block has another parent now.
  const hash = /the rebuilt live block is (0x\w+), not/.exec(message ?? '')?.[1]
  const journal = new MemoryJournal()
  const importer = await createTestNode({ mode: 'manual', seed: 9 }, { journal, onReplaced: () => {} })
  expect(await refusalOf(editFile(forged, setField('present', 'live.hash', hash)), importer)).toBeUndefined()
  await importer.node.close()
  const { request, logged } = await createTestNode({}, { journal: journal.reopen() })
  const traced = request('debug_traceBlockByNumber', ['0x1'])
  await expect(traced).rejects.toMatchObject({ error: { code: -32000 } })
  await expect(traced).rejects.toThrow(/^block 1 cannot be executed again: transaction 0x\w+ used \d+ gas/)
  expect(logged).toEqual([])
})
