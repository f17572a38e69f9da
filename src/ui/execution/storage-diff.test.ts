import { expect, test } from 'vitest'
import { type Address, type Hash, toWord } from '#primitives/hex.ts'
import { storageDiffs, storageOf } from './storage-diff.ts'

const A: Address = `0x${'aa'.repeat(20)}`
const B: Address = `0x${'bb'.repeat(20)}`
const [zero, one, two, three] = [toWord(0), toWord(1), toWord(2), toWord(3)]

test('values before and after have the same slots, including those that became or were 0, and others that were used', () => {
  const pre = { [A]: { balance: '0x1', storage: { [one]: two, [two]: three } }, [B]: { nonce: 1 } } as const
  const post = { [A]: { storage: { [one]: three, [three]: one } }, [B]: { nonce: 2 } } as const
  expect(storageDiffs({ pre, post }, { [A]: { [zero]: one, [one]: two } })).toEqual([
    {
      address: A,
      before: new Map([
        [zero, one],
        [one, two],
        [two, three],
        [three, zero],
      ]),
      after: new Map([
        [zero, one],
        [one, three],
        [two, zero],
        [three, one],
      ]),
    },
  ])
})

test('a contract that was created has no values before', () => {
  const diffs = storageDiffs({ pre: {}, post: { [B]: { storage: { [one]: two } } } }, {})
  expect(diffs).toEqual([{ address: B, before: new Map([[one, zero]]), after: new Map([[one, two]]) }])
})

test('invalid slots are left out, and prototype properties are not accounts', () => {
  const hostile = JSON.parse(
    `{"__proto__": "${two}", "constructor": "${two}", "${one}": "0x2", "${two}": "${one}"}`,
  ) as Record<Hash, Hash>
  expect(storageOf(hostile)).toEqual(new Map([[two, one]]))
  const pre = JSON.parse(`{"__proto__": {"storage": {"${one}": "${two}"}}, "toString": {}}`) as Record<Address, object>
  const used = {} as Record<Address, Record<Hash, Hash>>
  expect(storageDiffs({ pre, post: {} }, used)).toEqual([])
})
