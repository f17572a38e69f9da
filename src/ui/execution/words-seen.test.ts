import { expect, test } from 'vitest'
import { type Address, type Hex, toWord } from '#primitives/hex.ts'
import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { wordsSeen } from './words-seen.ts'

const FROM: Address = `0x${'11'.repeat(20)}`
const TO: Address = `0x${'22'.repeat(20)}`

const tx = (to: Address | null, input: Hex) => ({ from: FROM, to, input }) as RpcTransaction
const logs = (topics: readonly Hex[], data: Hex) => ({ logs: [{ topics, data }] }) as unknown as RpcReceipt

test('senders, recipients, arguments, topics and data are collected once each, without event signatures', () => {
  const call = tx(TO, `0xa9059cbb${toWord(BigInt(FROM)).slice(2)}${toWord(5).slice(2)}ff`)
  const log = logs([toWord(99), toWord(7)], toWord(8))
  expect(wordsSeen([call], [log])).toEqual([
    toWord(BigInt(FROM)),
    toWord(BigInt(TO)),
    ...[5, 7, 8].map((n) => toWord(n)),
  ])
})

test('a deployment has no arguments to collect', () => {
  expect(wordsSeen([tx(null, `0x${'60'.repeat(100)}`)], [])).toEqual([toWord(BigInt(FROM))])
})

test('only the first words of long input are collected, and not all of many transactions', () => {
  const word = (n: number) => toWord(n).slice(2)
  const long = tx(TO, `0x00000000${Array.from({ length: 100 }, (_, i) => word(1_000 + i)).join('')}`)
  expect(wordsSeen([long], [])).toHaveLength(2 + 64)
  const many = Array.from({ length: 5_000 }, (_, i) => tx(TO, `0x00000000${word(i)}`))
  expect(wordsSeen(many, [])).toHaveLength(2_000)
})
