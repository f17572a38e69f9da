import fc from 'fast-check'
import { parseTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { bytesToHex, type Hex } from '#primitives/hex.ts'
import { dissectTransaction } from './dissect.ts'
import { explainField } from './explain-field.ts'

const account = privateKeyToAccount(`0x${'17'.repeat(32)}`)
const sign = (tx: TransactionSerializable) => account.signTransaction(tx)

const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength }).map(bytesToHex)
const address = bytes(20, 20)
const wei = fc.oneof(fc.bigInt(0n, 2n ** 256n - 1n), fc.bigInt(0n, 300n))
const common = {
  nonce: fc.nat(),
  gas: fc.bigInt(0n, 2n ** 64n - 1n),
  value: wei,
  data: bytes(0, 200),
}
const typed = {
  ...common,
  chainId: fc.integer({ min: 1, max: 2 ** 32 }),
  accessList: fc.array(fc.record({ address, storageKeys: fc.array(bytes(32, 32), { maxLength: 3 }) }), {
    maxLength: 3,
  }),
}
const to = fc.option(address, { nil: undefined })
// viem refuses a tip above the fee cap.
const fees = { maxFeePerGas: fc.constant(2n ** 255n), maxPriorityFeePerGas: fc.bigInt(0n, 2n ** 255n) }
const authorization = fc.record({
  chainId: fc.nat(),
  address,
  nonce: fc.nat(),
  yParity: fc.constantFrom(0, 1),
  r: bytes(32, 32),
  s: bytes(32, 32),
})
const transaction: fc.Arbitrary<TransactionSerializable> = fc.oneof(
  fc.record({
    ...common,
    to,
    type: fc.constant('legacy' as const),
    chainId: fc.option(typed.chainId, { nil: undefined }),
    gasPrice: wei,
  }),
  fc.record({ ...typed, to, type: fc.constant('eip2930' as const), gasPrice: wei }),
  fc.record({ ...typed, to, type: fc.constant('eip1559' as const), ...fees }),
  fc.record({
    ...typed,
    ...fees,
    to: address,
    type: fc.constant('eip7702' as const),
    authorizationList: fc.array(authorization, { minLength: 1, maxLength: 3 }),
  }),
)

function fieldsOf(raw: Hex) {
  const dissection = dissectTransaction(raw)
  if (!dissection.ok) throw new Error(dissection.problem)
  return dissection.fields
}

test('the fields of any transaction, joined, are its bytes, and their payloads are its values', async () => {
  await fc.assert(
    fc.asyncProperty(transaction, async (tx) => {
      const raw = await sign(tx)
      const fields = fieldsOf(raw)
      expect(`0x${fields.map((field) => field.bytes.slice(2)).join('')}`).toBe(raw)
      const payload = Object.fromEntries(fields.map((field) => [field.name, field.payload]))
      const parsed = parseTransaction(raw)
      for (const name of ['nonce', 'gas', 'value'] as const) {
        expect(BigInt(payload[name] === '0x' ? 0 : (payload[name] ?? -1))).toBe(BigInt(parsed[name] ?? 0))
      }
      expect(payload['data']).toBe(parsed.data ?? '0x')
      expect(payload['to']).toBe(parsed.to ?? '0x')
      const items = Object.fromEntries(fields.map((field) => [field.name, field.items]))
      expect(items['accessList']).toBe(tx.type === 'legacy' ? undefined : tx.accessList?.length)
      expect(items['authorizationList']).toBe(tx.type === 'eip7702' ? tx.authorizationList.length : undefined)
    }),
    { numRuns: 60 },
  )
})

test('no bytes make it throw, and what it accepts is complete', () => {
  fc.assert(
    fc.property(bytes(0, 80), fc.constantFrom('', '01', '02', '04', 'c8', 'f8'), (rest, start) => {
      const raw: Hex = `0x${start}${rest.slice(2)}`
      const dissection = dissectTransaction(raw)
      if (dissection.ok) expect(`0x${dissection.fields.map((field) => field.bytes.slice(2)).join('')}`).toBe(raw)
      else expect(dissection.problem).toMatch(/\.$/)
    }),
  )
})

test.each<[Hex, RegExp]>([
  ['0x', /no bytes/],
  ['0x03c0', /0x03 is not a transaction type/],
  ['0x02c0', /ends before chainId/],
  ['0x02c100', /ends before nonce/],
  ['0x0280', /must be an RLP list/],
  ['0x02c000', /more after the end of the transaction: 1 byte\./],
  ['0x02f8', /longer than the rest|too early/],
  ['0xc1c0', /nonce must be bytes/],
])('%s is reported as not a transaction', (raw, problem) => {
  expect(dissectTransaction(raw)).toEqual({ ok: false, problem: expect.stringMatching(problem) as unknown })
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

test('v of a legacy transaction shows whether it names a chain', async () => {
  const legacy = { type: 'legacy', nonce: 0, gas: 21_000n, gasPrice: 1n } as const
  const meaning = async (tx: TransactionSerializable) => {
    const v = fieldsOf(await sign(tx)).find(({ name }) => name === 'v')
    return v && explainField(v, () => undefined).meaning
  }
  expect(await meaning({ ...legacy, chainId: 31_337 })).toMatch(/^EIP-155: chain 31337, y parity [01]$/)
  expect(await meaning(legacy)).toMatch(/no chain id/)
})
