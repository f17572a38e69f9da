import fc from 'fast-check'
import { parseTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { viemTransaction } from '#node/testing/viem-transaction.ts'
import type { Hex } from '#primitives/hex.ts'
import { dissectTransaction } from './dissect.ts'
import { explainField } from './explain-field.ts'

const account = privateKeyToAccount(`0x${'17'.repeat(32)}`)
const sign = (tx: TransactionSerializable) => account.signTransaction(tx)

function fieldsOf(raw: Hex) {
  const dissection = dissectTransaction(raw)
  if (!dissection.ok) throw new Error(dissection.problem)
  return dissection.fields
}

test('the runs of any transaction, joined, are its bytes, and their payloads are its fields', async () => {
  await fc.assert(
    fc.asyncProperty(viemTransaction, async (tx) => {
      const raw = await sign(tx as TransactionSerializable)
      const fields = fieldsOf(raw)
      expect(`0x${fields.map(({ bytes }) => bytes.slice(2)).join('')}`).toBe(raw)
      const payload = Object.fromEntries(fields.map((field) => [field.name, field.payload]))
      const number = (hex: Hex | undefined) => (hex === undefined || hex === '0x' ? 0n : BigInt(hex))
      const parsed = parseTransaction(raw)
      expect(number(payload['nonce'])).toBe(BigInt(parsed.nonce ?? 0))
      expect(number(payload['gas'])).toBe(parsed.gas ?? 0n)
      expect(number(payload['value'])).toBe(parsed.value ?? 0n)
      expect(payload['data']).toBe(parsed.data ?? '0x')
      expect(payload['to']).toBe(parsed.to ?? '0x')
      const lists = fields.filter(({ items }) => items !== undefined)
      expect(lists.map(({ items }) => items)).toEqual(
        lists.map(({ name }) => ('accessList' in tx && name === 'accessList' ? tx.accessList.length : 'authorizationList' in tx ? tx.authorizationList.length : -1)),
      )
    }),
    { numRuns: 60 },
  )
})

test('no bytes make it throw, and what it takes is whole', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.constantFrom('', '01', '02', '04', 'c8', 'f8'), (bytes, start) => {
      const raw: Hex = `0x${start}${Buffer.from(bytes).toString('hex')}`
      const dissection = dissectTransaction(raw)
      if (dissection.ok) expect(`0x${dissection.fields.map((field) => field.bytes.slice(2)).join('')}`).toBe(raw)
      else expect(dissection.problem).toMatch(/\.$/)
    }),
  )
})

test.each<[Hex, RegExp]>([
  ['0x', /no bytes/],
  ['0x03c0', /0x03 begins no type/],
  ['0x02c0', /ends before chainId/],
  ['0x02c100', /ends before nonce/],
  ['0x0280', /have to be a list/],
  ['0x02c000', /1 bytes follow/],
  ['0x02f8', /beyond the end|too soon/],
  ['0xc1c0', /nonce has to be bytes/],
])('%s is told to be no transaction', (raw, problem) => {
  expect(dissectTransaction(raw)).toEqual({ ok: false, problem: expect.stringMatching(problem) })
})

test('each field is explained with its value', async () => {
  const raw = await sign({
    type: 'eip1559',
    chainId: 31_337,
    nonce: 0,
    to: `0x${'ab'.repeat(20)}`,
    value: 10n ** 16n,
    gas: 21_000n,
    maxFeePerGas: 2_500_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
  const explained = fieldsOf(raw).map((field) => explainField(field, () => 'Account 1'))
  expect(explained.slice(0, 11).map(({ label, value }) => [label, value])).toEqual([
    ['Type', '0x02'],
    ['List header', ''],
    ['Chain id', '31337'],
    ['Nonce', '0'],
    ['Tip', '1.0000 gwei'],
    ['Fee cap', '2.5000 gwei'],
    ['Gas limit', '21,000'],
    ['To', `0x${'ab'.repeat(20)}`],
    ['Value', '10,000,000,000,000,000 wei'],
    ['Data', '0x'],
    ['Access list', '0 items'],
  ])
  expect(explained[7]?.meaning).toBe('Account 1')
})

test('v of a legacy transaction tells whether it names a chain', async () => {
  const legacy = { type: 'legacy', nonce: 0, gas: 21_000n, gasPrice: 1n } as const
  const meaning = async (tx: TransactionSerializable) => {
    const v = fieldsOf(await sign(tx)).find(({ name }) => name === 'v')
    return v && explainField(v, () => undefined).meaning
  }
  expect(await meaning({ ...legacy, chainId: 31_337 })).toMatch(/^EIP-155: chain 31337, y parity [01]$/)
  expect(await meaning(legacy)).toMatch(/names no chain/)
})
