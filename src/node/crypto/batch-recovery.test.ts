import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wasm } from '#engine/assembly/secp256k1/index.ts?wasm'
import { KeyRecovery } from '#engine/key-recovery.ts'
import { KnownKeys } from '#engine/known-keys.ts'
import { signatureBy } from '#testing/node/crypto/signatures.ts'
import { BatchRecovery } from './batch-recovery.ts'
import { recoverAddresses, type Signed } from './recovery.ts'
import { areSignedBy } from './signer-check.ts'

const SIGNERS = 4
const PER_SIGNER = 20
/** Those of one signer after those of another. */
const signatures = Array.from({ length: SIGNERS * PER_SIGNER }, (_, i) => signatureBy(Math.floor(i / PER_SIGNER), i))
const right = signatures.map((_, i) => Math.floor(i / PER_SIGNER))
// No point of the curve has x = 5.
const ofNobody: Signed = { digest: new Uint8Array(32), r: 5n, s: 1n, yParity: 0 }

/** One that says how many signatures it has checked at a time. */
function watched() {
  const checkedAtOnce: number[] = []
  const recovery = new BatchRecovery((some, keys) => {
    checkedAtOnce.push(some.length)
    return areSignedBy(some, keys)
  })
  return { recovery, checkedAtOnce }
}

test('each signature gives its own signer, with any hints', () => {
  const one = fc.record({ at: fc.nat(signatures.length), guess: fc.nat(SIGNERS) })
  const groups = fc.array(fc.array(fc.oneof({ arbitrary: one, weight: 1 }), { maxLength: 60 }), { maxLength: 6 })
  fc.assert(
    fc.property(groups, fc.boolean(), (all, isRight) => {
      const recovery = new BatchRecovery()
      for (const group of all) {
        const some = group.map(({ at }) => signatures[at] ?? ofNobody)
        const hints = group.map(({ at, guess }) => (isRight ? (right[at] ?? guess) : guess))
        expect(recovery.recover(some, hints)).toEqual(recoverAddresses(some))
      }
    }),
    { numRuns: Number(process.env['RECOVERY_RUNS'] ?? 60) },
  )
})

test('one signature of each hint is recovered and the others are checked together; later all are checked', () => {
  const { recovery, checkedAtOnce } = watched()
  const expected = recoverAddresses(signatures)
  expect(recovery.recover(signatures, right)).toEqual(expected)
  expect(recovery.recover(signatures, right)).toEqual(expected)
  expect(checkedAtOnce).toEqual([signatures.length - SIGNERS, signatures.length])
})

test('few signatures, or those with different hints, are not checked together', () => {
  const { recovery, checkedAtOnce } = watched()
  recovery.recover(signatures.slice(0, 4), right.slice(0, 4))
  recovery.recover(signatures, [...signatures.keys()])
  expect(checkedAtOnce).toEqual([])
})

test('after a wrong guess one group is recovered without guesses, after a second one two groups', () => {
  const { recovery, checkedAtOnce } = watched()
  // The signers of a hint alternate.
  const wrong = signatures.map((_, i) => i % SIGNERS)
  const checks = (hints: readonly number[]) => {
    checkedAtOnce.length = 0
    recovery.recover(signatures, hints)
    return checkedAtOnce.length
  }
  // The first is right, and makes the signers known.
  expect(checks(right)).toBe(1)
  expect([wrong, right, wrong, right, right, right, right].map(checks)).toEqual([2, 0, 2, 0, 0, 1, 1])
  expect([wrong, right, right].map(checks)).toEqual([2, 0, 1])
})

test('if hints have swapped their signers, one signature of each is recovered, and the next groups are still guessed', () => {
  const { recovery, checkedAtOnce } = watched()
  const expected = recoverAddresses(signatures)
  for (const hints of [right, right.toReversed(), right.toReversed()]) {
    expect(recovery.recover(signatures, hints)).toEqual(expected)
  }
  const all = signatures.length
  expect(checkedAtOnce).toEqual([all - SIGNERS, all, all - SIGNERS, all])
})

test('if the first signature of a hint has no signer, the next one is recovered instead', () => {
  const { recovery, checkedAtOnce } = watched()
  const some = [ofNobody, ...signatures.slice(0, PER_SIGNER)]
  expect(
    recovery.recover(
      some,
      some.map(() => 7),
    ),
  ).toEqual(recoverAddresses(some))
  expect(checkedAtOnce).toEqual([PER_SIGNER - 1])
})

test('few signatures are tried with the key of their hint where it signs often; after wrong ones fewer are (20)', () => {
  let tried = 0
  const counted: string[] = []
  const keys = new KnownKeys(KeyRecovery.create(wasm) as KeyRecovery)
  const recovery = new BatchRecovery(areSignedBy, {
    isSignedBy(signature, address) {
      const answer = keys.isSignedBy(signature, address)
      if (answer !== undefined) tried++
      return answer
    },
    count(key, address) {
      counted.push(address)
      keys.count(key, address)
    },
  })
  const one = (i: number, hint = right[i] as number) => {
    const [signer] = recovery.recover([signatures[i] as Signed], [hint])
    expect(signer).toBe(recoverAddresses([signatures[i] as Signed])[0])
  }
  for (let i = 0; i < PER_SIGNER; i++) one(i)
  expect(tried).toBe(PER_SIGNER - 8)
  expect(counted).toHaveLength(8)
  // A hint's signers alternate: the first is known, the other is not.
  tried = 0
  for (let k = 0; k < 40; k++) one(k % 2 ? 0 : PER_SIGNER, 0)
  expect(tried).toBeLessThan(20)
  one(0, 0)
})
