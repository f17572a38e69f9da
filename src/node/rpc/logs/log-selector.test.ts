import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Address, toWord } from '#primitives/hex.ts'
import { testBlock } from '#testing/node/storage/blocks.ts'
import type { Log, SealedBlock } from '../../payload/block.ts'
import { encodeBlock } from '../../storage/block-record.ts'
import { StoredBlock } from '../../storage/stored-block.ts'
import { formatLog } from '../format/receipt.ts'
import { createLogSelector, logsOfBlock, selectLogs } from './log-selector.ts'

const address = fc.nat({ max: 5 }).map((n): Address => `0x${n.toString(16).padStart(40, '0')}`)
const topic = fc.nat({ max: 5 }).map(toWord)
const log = fc.record({
  address,
  topics: fc.array(topic, { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 3 }),
})
const anyLog: Log = { address: `0x${'ab'.repeat(20)}`, topics: [], data: new Uint8Array() }
const filter = fc.record({
  addresses: fc.array(address, { maxLength: 3 }),
  topics: fc.array(fc.array(topic, { maxLength: 3 }), { maxLength: 4 }),
})
const blocks = fc.array(fc.array(log, { maxLength: 3 }), { maxLength: 4 })

/** The rule of `eth_getLogs`, spelt out. */
function isSelected({ address: at, topics }: Log, wanted: { addresses: Address[]; topics: string[][] }): boolean {
  for (const [i, any] of wanted.topics.entries()) {
    const own = topics[i]
    if (own === undefined || (any.length > 0 && !any.includes(own))) return false
  }
  return wanted.addresses.length === 0 || wanted.addresses.includes(at)
}

test('a selector matches exactly the logs of its filter, with or without the bloom', () => {
  fc.assert(
    fc.property(blocks, filter, (logs, wanted) => {
      const block = testBlock(1, logs)
      const selected = selectLogs(block, block.transactions, createLogSelector(wanted))
      expect(selected.map((placed) => placed.log)).toEqual(logs.flat().filter((own) => isSelected(own, wanted)))
      for (const { log: own, logIndex } of selected) expect(logs.flat()[logIndex]).toBe(own)
    }),
  )
})

test('from the bytes of a block come the same logs as from the block itself', () => {
  fc.assert(
    fc.property(blocks, filter, (logs, wanted) => {
      const block = testBlock(1, logs)
      const stored = new StoredBlock(encodeBlock(block))
      const selector = createLogSelector(wanted)
      const told = (of: SealedBlock) => [...logsOfBlock(of, selector)].flat().map((each) => formatLog(each, false))
      expect(told(stored)).toEqual(told(block))
      const isSure = told(block).length > 0
      expect(selector.mayHaveLogs(stored) || !isSure).toBe(true)
      expect(selector.mayHaveLogs(block) || !isSure).toBe(true)
    }),
  )
})

test('a block without logs is not read for any filter', () => {
  const selector = createLogSelector({ addresses: [], topics: [] })
  expect(selector.mayMatch(testBlock(1, [[]]).header)).toBe(false)
})

test('a selector with a range only looks at blocks in the range', () => {
  const selector = createLogSelector({ addresses: [], topics: [] }, { from: 2, to: 3 })
  expect([1, 2, 3, 4].filter((number) => selector.mayMatch(testBlock(number, [[anyLog]]).header))).toEqual([2, 3])
})

test('a bloom rules most blocks out', () => {
  const topics = Array.from({ length: 200 }, (_, i) => [toWord(1_000 + i)])
  const { header } = testBlock(1, [[{ address: `0x${'ab'.repeat(20)}`, topics: [toWord(1)], data: new Uint8Array() }]])
  const passed = topics.filter((position) => createLogSelector({ addresses: [], topics: [position] }).mayMatch(header))
  expect(passed).toEqual([])
})
