import { expect, test } from 'vitest'
import type { SenderFacts } from '#ui/queries/sender.ts'
import { type CompleteTransaction, completeTransaction, roundUp } from './complete.ts'
import { foresee, waitsFor } from './consequences.ts'

const GWEI = 10n ** 9n
const FACTS: SenderFacts = {
  chainId: 31_337,
  nextNonce: 5,
  balance: 10n ** 18n,
  baseFee: GWEI,
  tip: GWEI / 10n,
  waiting: new Map([[4, { feeCap: 2n * GWEI, tip: GWEI }]]),
}
const TX: CompleteTransaction = {
  to: `0x${'ab'.repeat(20)}`,
  value: 0n,
  data: '0x',
  type: '2',
  chainId: 31_337,
  nonce: 5,
  gas: 21_000n,
  feeCap: 3n * GWEI,
  tip: GWEI,
}

function verdicts(changes: Partial<CompleteTransaction>, copies = 1) {
  return foresee({ ...TX, ...changes }, FACTS, copies).map(({ verdict }) => verdict)
}
const texts = (changes: Partial<CompleteTransaction>) => foresee({ ...TX, ...changes }, FACTS).map(({ text }) => text)

test('a transaction with the next nonce and enough funds and fees is included', () => {
  expect(verdicts({})).toEqual(['goes', 'goes', 'goes'])
  expect(texts({})[1]).toContain('a tip of 1.0000 gwei per gas')
})

test('a tip above what the fee cap allows is cut', () => {
  expect(texts({ feeCap: GWEI + 5n * 10n ** 8n })[1]).toContain('a tip of 0.5000 gwei')
})

test('a transaction behind a nonce gap, or with a fee cap below the base fee, waits', () => {
  expect(verdicts({ nonce: 6 })).toEqual(['waits', 'goes', 'goes'])
  expect(texts({ nonce: 6 })[0]).toContain('it waits in the mempool for nonce 5.')
  expect(texts({ nonce: 8 })[0]).toContain('it waits in the mempool for nonces 5–7.')
  expect(verdicts({ feeCap: GWEI - 1n, tip: 0n })).toEqual(['goes', 'waits', 'goes'])
})

test('a used nonce is refused', () => {
  expect(verdicts({ nonce: 3 })).toEqual(['refused', 'goes', 'goes'])
})

test('a transaction in the mempool is replaced from exactly 10% more on', () => {
  expect(verdicts({ nonce: 4, feeCap: (22n * GWEI) / 10n, tip: (11n * GWEI) / 10n })[0]).toBe('goes')
  expect(verdicts({ nonce: 4, feeCap: (22n * GWEI) / 10n - 1n, tip: (11n * GWEI) / 10n })[0]).toBe('refused')
  expect(verdicts({ nonce: 4, feeCap: 3n * GWEI, tip: (11n * GWEI) / 10n - 1n })[0]).toBe('refused')
})

test('the balance must cover the highest cost of all copies', () => {
  const half = { value: FACTS.balance / 2n }
  expect(verdicts(half)[2]).toBe('goes')
  expect(verdicts(half, 2)[2]).toBe('refused')
  const exact = FACTS.balance - TX.gas * TX.feeCap
  expect(verdicts({ value: exact })[2]).toBe('goes')
  expect(verdicts({ value: exact + 1n })[2]).toBe('refused')
})

const OPEN = {
  to: null,
  value: 0n,
  data: '0x',
  nonce: undefined,
  gas: undefined,
  feeCap: undefined,
  tip: undefined,
  copies: 1,
} as const

test('empty fields become the next nonce, the gas estimate, and fees that cover twice the base fee', () => {
  const tx = completeTransaction({ ...OPEN, type: '2' }, FACTS, 53_000n)
  expect(tx).toMatchObject({ nonce: 5, gas: 53_000n, tip: FACTS.tip, feeCap: 2_100_000_000n })
})

test('a fee cap below the suggested tip lowers that tip', () => {
  const tx = completeTransaction({ ...OPEN, type: '2', feeCap: 5n }, FACTS, 53_000n)
  expect(tx).toMatchObject({ feeCap: 5n, tip: 5n })
})

test('the gas price of types 0 and 1 counts as fee cap and tip', () => {
  const tx = completeTransaction({ ...OPEN, type: '0', feeCap: 7n * GWEI }, FACTS, 21_000n)
  expect(tx).toMatchObject({ feeCap: 7n * GWEI, tip: 7n * GWEI })
})

test('suggestions are rounded up to two digits', () => {
  expect([0n, 7n, 99n, 100n, 101n, 2_000_000_001n].map(roundUp)).toEqual([0n, 7n, 99n, 100n, 110n, 2_100_000_000n])
})

test('a transaction behind a nonce gap waits for exactly the nonces that were not sent', () => {
  const offer = { feeCap: 3n * GWEI, tip: GWEI }
  const behind = (nonce: number, queued: readonly number[]) =>
    waitsFor(nonce, offer, { ...FACTS, nextNonce: 0, waiting: new Map(queued.map((each) => [each, offer])) }).text
  expect(behind(5, [5])).toBe('is waiting for nonces 0–4 from this sender')
  expect(behind(1, [1])).toBe('is waiting for nonce 0 from this sender')
  expect(behind(9, [3, 4, 5, 9])).toBe('is waiting for nonces 0–2 and 6–8 from this sender')
  expect(behind(9, [1, 3, 9])).toBe('is waiting for nonces 0, 2 and 4–8 from this sender')
  expect(waitsFor(5, offer, FACTS)).toEqual({ text: 'is waiting for the next partial block' })
  expect(waitsFor(5, { feeCap: GWEI / 2n, tip: 0n }, FACTS).text).toBe(
    'is waiting for the base fee to fall to 0.5000 gwei',
  )
})
