import { RLP } from '@ethereumjs/rlp'
import { expect, test } from 'vitest'
import { type Hex, hexToBytes } from '#primitives/hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { AnswerError } from './answers.ts'
import { readForkHeader } from './fork-header.ts'

const word: Hex = `0x${'11'.repeat(32)}`
const FIELDS = {
  parentHash: word,
  sha3Uncles: word,
  miner: `0x${'22'.repeat(20)}`,
  stateRoot: word,
  transactionsRoot: word,
  receiptsRoot: word,
  logsBloom: `0x${'00'.repeat(256)}`,
  difficulty: '0x0',
  number: '0x10',
  gasLimit: '0x1c9c380',
  gasUsed: '0x5208',
  timestamp: '0x65000000',
  extraData: '0x',
  mixHash: word,
  nonce: '0x0000000000000000',
  baseFeePerGas: '0x3b9aca00',
} as const
const QUANTITIES = new Set(['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas'])

/** A block whose hash is right. */
function blockOf(change: Partial<Record<keyof typeof FIELDS, Hex>> = {}) {
  const fields = { ...FIELDS, ...change }
  const items = Object.entries(fields).map(([name, value]) => {
    if (!QUANTITIES.has(name)) return hexToBytes(value)
    const digits = BigInt(value) === 0n ? '' : BigInt(value).toString(16)
    return hexToBytes(`0x${digits.length % 2 === 0 ? '' : '0'}${digits}`)
  })
  return { ...fields, hash: keccak256Hex(RLP.encode(items)) }
}

test('a header whose hash is right is read', () => {
  expect(readForkHeader(blockOf()).header).toMatchObject({ number: 16, gasLimit: 30_000_000n, timestamp: 0x65000000 })
})

test.each([
  ['number', '0x1fffffffffffff'],
  ['timestamp', '0x1fffffffffffff'],
  ['gasLimit', '0x0'],
  ['gasLimit', `0x${'ff'.repeat(32)}`],
  ['gasUsed', '0x1c9c381'],
  ['baseFeePerGas', `0x${'ff'.repeat(32)}`],
] as const)('a header whose %s is %s is refused, even if its hash is right', (name, value) => {
  expect(() => readForkHeader(blockOf({ [name]: value }))).toThrow(AnswerError)
  expect(() => readForkHeader(blockOf({ [name]: value }))).toThrow(name)
})
