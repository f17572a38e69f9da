import { expect, test } from 'vitest'
import { targetOf } from './value-target.ts'

const HASH = `0x${'ab'.repeat(32)}`

test('addresses, transactions and blocks in an answer lead to their screens', () => {
  expect(targetOf(`"0x${'Ab'.repeat(20)}"`, 'to')).toBe(`/address/0x${'ab'.repeat(20)}`)
  expect(targetOf(`"${HASH}"`, 'transactionHash')).toBe(`/tx/${HASH}`)
  expect(targetOf(`"${HASH}"`, 'parentHash')).toBe(`/block/${HASH}`)
  expect(targetOf('"0x1f"', 'blockNumber')).toBe('/block/31')
})

test('what may be anything leads nowhere', () => {
  expect(targetOf(`"${HASH}"`, 'stateRoot')).toBeUndefined()
  expect(targetOf(`"${HASH}"`, undefined)).toBeUndefined()
  expect(targetOf(`"0x${'0'.repeat(64)}"`, 'blockHash')).toBeUndefined()
  expect(targetOf('"0x1f"', 'gasUsed')).toBeUndefined()
})
