import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wasm } from '#engine/assembly/secp256k1/index.ts?wasm'
import { KeyRecovery } from '#engine/key-recovery.ts'
import { KnownKeys } from '#engine/known-keys.ts'
import { signatureBy } from '#testing/node/crypto/signatures.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { BatchRecovery } from './batch-recovery.ts'
import { recoverAddresses, type Signed } from './recovery.ts'

const SIGNERS = 4
const PER_SIGNER = 20
/** Signatures of one signer after those of another. */
const signatures = Array.from({ length: SIGNERS * PER_SIGNER }, (_, i) => signatureBy(Math.floor(i / PER_SIGNER), i))
const right = signatures.map((_, i) => Math.floor(i / PER_SIGNER))
// No point of the curve has x = 5.
const ofNobody: Signed = { digest: new Uint8Array(32), r: 5n, s: 1n, yParity: 0 }

/** One that says how many signatures it has checked at a time, and how many it has recovered. */
function watched() {
  const checkedAtOnce: number[] = []
  const counted: string[] = []
  const keys = new KnownKeys(() => KeyRecovery.create(wasm) as KeyRecovery)
  const recovery = new BatchRecovery({
    has: (address) => keys.has(address),
    areSignedBy(some, addresses) {
      checkedAtOnce.push(some.length)
      return keys.areSignedBy(some, addresses)
    },
    count(key, address, times) {
      counted.push(address)
      keys.count(key, address, times)
    },
  })
  return { recovery, checkedAtOnce, counted }
}

test('each signature gives its own signer, with any hints', () => {
  const one = fc.record({ at: fc.nat(signatures.length), guess: fc.nat(SIGNERS) })
  const groups = fc.array(fc.array(fc.oneof({ arbitrary: one, weight: 1 }), { maxLength: 60 }), { maxLength: 6 })
  fc.assert(
    fc.property(groups, fc.boolean(), (all, isRight) => {
      const { recovery } = watched()
      for (const group of all) {
        const some = group.map(({ at }) => signatures[at] ?? ofNobody)
        const hints = group.map(({ at, guess }) => (isRight ? (right[at] ?? guess) : guess))
        expect(recovery.recover(some, hints)).toEqual(recoverAddresses(some))
      }
    }),
    { numRuns: runsOf(60) },
  )
})

test('one signature of each hint is recovered and the others are checked together; later the first ones are checked, too', () => {
  const { recovery, checkedAtOnce, counted } = watched()
  const expected = recoverAddresses(signatures)
  expect(recovery.recover(signatures, right)).toEqual(expected)
  expect(recovery.recover(signatures, right)).toEqual(expected)
  expect(checkedAtOnce).toEqual([signatures.length - SIGNERS, SIGNERS, signatures.length - SIGNERS])
  expect(counted).toHaveLength(SIGNERS)
})

test('few signatures, or those with different hints, are recovered until their keys sign often', () => {
  const { recovery, checkedAtOnce } = watched()
  recovery.recover(signatures.slice(0, 3), right.slice(0, 3))
  recovery.recover(signatures, [...signatures.keys()])
  expect(checkedAtOnce).toEqual([])
  recovery.recover(signatures.slice(0, 3), right.slice(0, 3))
  expect(checkedAtOnce).toEqual([3])
})

test('a series that is too short to learn its key is recovered', () => {
  const { recovery, checkedAtOnce, counted } = watched()
  const some = signatures.slice(0, 6)
  expect(
    recovery.recover(
      some,
      some.map(() => 1),
    ),
  ).toEqual(recoverAddresses(some))
  expect(checkedAtOnce).toEqual([])
  expect(counted).toHaveLength(6)
})

test('after wrong series one group is recovered without any, after a second one two groups (A)', () => {
  const { recovery, checkedAtOnce } = watched()
  // The signers of a hint alternate, and each group has hints of its own.
  let groups = 0
  const checks = (isRight: boolean) => {
    checkedAtOnce.length = 0
    const hints = signatures.map((_, i) => 1_000 * groups + (isRight ? (right[i] as number) : i % SIGNERS))
    groups++
    expect(recovery.recover(signatures, hints)).toEqual(recoverAddresses(signatures))
    return checkedAtOnce.length
  }
  expect([true, false, true, false, true, true, true].map(checks)).toEqual([1, 3, 0, 3, 0, 0, 1])
  expect([false, true, true].map(checks)).toEqual([3, 0, 1])
})

test('if hints have swapped their signers, one signature of each is recovered and the others are checked again', () => {
  const { recovery, checkedAtOnce, counted } = watched()
  const expected = recoverAddresses(signatures)
  for (const hints of [right, right.toReversed()]) expect(recovery.recover(signatures, hints)).toEqual(expected)
  const later = signatures.length - SIGNERS
  expect(checkedAtOnce).toEqual([later, SIGNERS, later])
  expect(counted).toHaveLength(2 * SIGNERS)
})

test('where a series changes its signer, one more signature is recovered, and the next groups are still guessed', () => {
  const { recovery, checkedAtOnce, counted } = watched()
  const some = signatures.slice(0, 2 * PER_SIGNER)
  const hints = some.map(() => 7)
  expect(recovery.recover(some, hints)).toEqual(recoverAddresses(some))
  expect(checkedAtOnce).toEqual([2 * PER_SIGNER - 1, PER_SIGNER - 1])
  expect(counted).toHaveLength(2)
  expect(recovery.recover(some, hints)).toEqual(recoverAddresses(some))
  expect(counted).toHaveLength(4)
})

test('if the first signature of a hint has no signer, the others are recovered', () => {
  const { recovery, checkedAtOnce } = watched()
  const some = [ofNobody, ...signatures.slice(0, PER_SIGNER)]
  const hints = some.map(() => 7)
  expect(recovery.recover(some, hints)).toEqual(recoverAddresses(some))
  expect(checkedAtOnce).toEqual([])
  expect(recovery.recover(some, hints)).toEqual(recoverAddresses(some))
  expect(checkedAtOnce).toEqual([1])
})

test('one signature is tried with the key of its hint where that signs often; after wrong ones fewer are (A)', () => {
  const { recovery, checkedAtOnce, counted } = watched()
  const one = (i: number, hint = right[i] as number) => {
    const [signer] = recovery.recover([signatures[i] as Signed], [hint])
    expect(signer).toBe(recoverAddresses([signatures[i] as Signed])[0])
  }
  for (let i = 0; i < PER_SIGNER; i++) one(i)
  expect(checkedAtOnce).toHaveLength(PER_SIGNER - 8)
  expect(counted).toHaveLength(8)
  // A hint's signers alternate: the first is known, the other is not.
  checkedAtOnce.length = 0
  for (let k = 0; k < 40; k++) one(k % 2 ? 0 : PER_SIGNER, 0)
  expect(checkedAtOnce.length).toBeLessThan(20)
  one(0, 0)
})

test('groups whose hints are always wrong are seldom tried with known keys (A)', () => {
  const { recovery, checkedAtOnce } = watched()
  recovery.recover(signatures, right)
  checkedAtOnce.length = 0
  let groups = 0
  for (let k = 0; k < 100; k++) {
    // Two signers alternate, so that the one a hint had last is never that of the next.
    const some = [k % 2, 2 + (k % 2)].map((signer) => signatures[signer * PER_SIGNER + (k % PER_SIGNER)] as Signed)
    expect(recovery.recover(some, [0, 1])).toEqual(recoverAddresses(some))
    groups++
  }
  const tried = checkedAtOnce.reduce((sum, each) => sum + each, 0)
  expect(tried).toBeLessThan(groups / 4)
})
