import { setFlagsFromString } from 'node:v8'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { runsOf } from '#testing/primitives/runs.ts'
import { wasm as fusedWasm } from './assembly/secp256k1/index.ts?fused-wasm'
import { wasm as scalarWasm } from './assembly/secp256k1/index.ts?wasm'
import { KeyRecovery, type Signed } from './key-recovery.ts'

// Node.js 20 knows relaxed SIMD, but does not say so.
setFlagsFromString('--experimental-wasm-relaxed-simd')

const N = secp256k1.Point.CURVE().n
/** Scalars that formulas tend to fail on: small, near the ends, near the half, powers of two. */
const EDGES = [1n, 2n, 3n, N - 1n, N - 2n, N / 2n, N / 2n + 1n, 1n << 128n, (1n << 128n) - 1n, 1n << 255n]
const scalars = fc.oneof(
  { arbitrary: fc.bigInt({ min: 1n, max: N - 1n }), weight: 5 },
  { arbitrary: fc.constantFrom(...EDGES), weight: 1 },
)
const digests = fc.oneof(
  { arbitrary: fc.uint8Array({ minLength: 32, maxLength: 32 }), weight: 5 },
  { arbitrary: fc.constantFrom(0n, N, N - 1n, (1n << 256n) - 1n, ...EDGES).map(bytesOf), weight: 1 },
)
const parities = fc.constantFrom<0 | 1>(0, 1)

/** The runs of a property. */
const RUNS = runsOf(40)

function bytesOf(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
}

function expected({ digest, r, s, yParity }: Signed): Uint8Array | undefined {
  try {
    const signature = new secp256k1.Signature(r, s, yParity)
    return signature.recoverPublicKey(digest).toBytes(false).slice(1)
  } catch {
    return undefined
  }
}

const { Point } = secp256k1

const unexpected = (): never => {
  throw new Error('an exceptional signature')
}

describe.each([
  ['one signature at a time', scalarWasm],
  ['two at a time', fusedWasm],
])('%s', async (_name, wasm) => {
  const recovery = KeyRecovery.create(wasm) as KeyRecovery

  test('a signature gives the key that signed it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(scalars, digests), { minLength: 1, maxLength: 20 }), (made) => {
        const signatures = made.map(([key, message]) => {
          const signature = secp256k1.Signature.fromBytes(
            secp256k1.sign(message, bytesOf(key), { prehash: false, format: 'recovered' }),
            'recovered',
          )
          return { digest: message, r: signature.r, s: signature.s, yParity: signature.recovery as 0 | 1 }
        })
        expect(recovery.recover(signatures, expected)).toEqual(
          made.map(([key]) => secp256k1.getPublicKey(bytesOf(key), false).slice(1)),
        )
      }),
      { numRuns: RUNS },
    )
  })

  test('any input gives the same key as @noble/curves, or none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ digest: digests, r: scalars, s: scalars, yParity: parities }), {
          minLength: 1,
          maxLength: 20,
        }),
        (signatures) => {
          expect(recovery.recover(signatures, expected)).toEqual(signatures.map(expected))
        },
      ),
      { numRuns: RUNS },
    )
  })

  test('the position in a batch and its length do not change the results', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ digest: digests, r: scalars, s: scalars, yParity: parities }), {
          minLength: 2,
          maxLength: 70,
        }),
        (signatures) => {
          const one = signatures.map((signature) => recovery.recover([signature], expected)[0])
          expect(recovery.recover(signatures, expected)).toEqual(one)
        },
      ),
      { numRuns: RUNS / 4 },
    )
  })

  test('a batch may be longer than the module takes at once', () => {
    const signatures = Array.from({ length: 300 }, (_, i) => ({
      digest: bytesOf(BigInt(i)),
      r: BigInt(i + 1),
      s: 5n,
      yParity: 0 as const,
    }))
    expect(recovery.recover(signatures, unexpected)).toEqual(signatures.map(expected))
  })

  test.each([
    [0n, 1n],
    [1n, 0n],
    [N, 1n],
    [1n, N],
    [1n << 256n, 1n],
  ])('r %d and s %d are no signature', (r, s) => {
    expect(recovery.recover([{ digest: bytesOf(1n), r, s, yParity: 0 }], unexpected)).toEqual([undefined])
  })

  test('points that meet at any digit are left to the caller', () => {
    // R = G, so that u₁G and u₂R have the same digits or opposite ones in all their places.
    const { x, y } = secp256k1.Point.BASE.toAffine()
    const yParity = (y & 1n) === 0n ? 0 : 1
    fc.assert(
      fc.property(fc.array(fc.tuple(scalars, fc.constantFrom(0n, 1n, 2n, N - 1n)), { maxLength: 20 }), (made) => {
        const signatures = made.map(([s, factor]) => {
          return { digest: bytesOf((s * factor) % N), r: x % N, s, yParity } as const
        })
        expect(recovery.recover(signatures, expected)).toEqual(signatures.map(expected))
      }),
      { numRuns: RUNS },
    )
  })

  test('points that meet on the way are left to the caller, and do not affect other signatures', () => {
    // R = G and u₂ = −u₁: the sum is infinity, which is no key.
    const { x, y } = secp256k1.Point.BASE.toAffine()
    const yParity = (y & 1n) === 0n ? 0 : 1
    const s = 7n
    const meeting = { digest: bytesOf(s), r: x % N, s, yParity } as const
    const good = { digest: bytesOf(3n), r: x % N, s, yParity } as const
    const asked: Signed[] = []
    const keys = recovery.recover([good, meeting, good], (signature) => {
      asked.push(signature)
      return undefined
    })
    expect(keys).toEqual([expected(good), undefined, expected(good)])
    expect(asked).toEqual([meeting])
  })
})

/** Wide and narrow tables, and how a key is learnt for them by a number below 12. */
const widths = [
  ['narrow', false, (recovery: KeyRecovery, key: number, point: Uint8Array) => recovery.learn(key, point)],
  [
    'wide',
    true,
    (recovery: KeyRecovery, key: number, point: Uint8Array) => {
      recovery.learn(63 - key, point)
      for (let part = 0; !recovery.widen(key, 63 - key, part); part++);
    },
  ],
] as const

function signed(key: bigint, digest: Uint8Array): Signed {
  const { r, s, recovery } = secp256k1.Signature.fromBytes(
    secp256k1.sign(digest, bytesOf(key), { prehash: false, format: 'recovered' }),
    'recovered',
  )
  return { digest, r, s, yParity: recovery as 0 | 1 }
}

/** Keys whose multiples are no small multiples of the generator, or of it times a power of two: their points do not meet its own. */
const keysApart = scalars.map((scalar) =>
  Point.Fn.mul(scalar, 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95n),
)
const pointOfKey = (key: bigint) => secp256k1.getPublicKey(bytesOf(key), false).slice(1)
const isBy = (signature: Signed, key: bigint) => Buffer.from(expected(signature) ?? []).equals(pointOfKey(key))

describe.each([
  ['one signature at a time', scalarWasm],
  ['two at a time', fusedWasm],
])('known points: %s', (_name, wasm) => {
  const recovery = KeyRecovery.create(wasm) as KeyRecovery
  for (let part = 0; !recovery.widenGenerator(part); part++);

  test('multiples of the generator match @noble/curves', () => {
    const multiply = (scalar: bigint) => {
      const point = recovery.multiplyGenerator(scalar, unexpected)
      expect(Buffer.from(point).toString('hex')).toBe(Point.BASE.multiply(scalar).toHex(false).slice(2))
    }
    for (const scalar of EDGES) multiply(scalar)
    fc.assert(fc.property(scalars, multiply), { numRuns: RUNS })
  })

  describe.each(widths)('%s tables', (_width, areWide, learn) => {
    const isSignedBy = (signature: Signed, key: number) => recovery.areSignedBy([signature], [key], areWide)[0]

    test('a key has signed what gives that key, and nothing else', () => {
      fc.assert(
        fc.property(keysApart, keysApart, fc.nat(11), digests, scalars, (key, other, place, digest, change) => {
          learn(recovery, place, pointOfKey(key))
          const right = signed(key, digest)
          const all: Signed[] = [
            right,
            signed(other, digest),
            { ...right, yParity: right.yParity === 0 ? 1 : 0 },
            { ...right, s: N - right.s },
            { ...right, s: N - right.s, yParity: right.yParity === 0 ? 1 : 0 },
            { ...right, s: change },
            { ...right, r: change },
            { ...right, digest: bytesOf(change) },
            { ...right, r: 0n },
            { ...right, s: 0n },
            { ...right, s: N },
            { ...right, r: right.r + N },
          ]
          const places = all.map(() => place)
          const answers = all.map((each) => isBy(each, key))
          // With a digest of 0 the generator's points may meet in the end: those are left to the caller.
          const mayMeet = BigInt(`0x${Buffer.from(digest).toString('hex')}`) % N === 0n
          for (const given of [
            all.map((each) => isSignedBy(each, place)),
            recovery.areSignedBy(all, places, areWide),
          ]) {
            expect(given.map((answer, i) => answer || (mayMeet && all[i]?.digest === digest && answers[i]))).toEqual(
              answers,
            )
          }
        }),
        { numRuns: RUNS },
      )
    })

    test('signatures that are made of any scalars are by the key, and those of the other point are not', () => {
      fc.assert(
        fc.property(keysApart, scalars, scalars, (key, ofGenerator, ofKey) => {
          learn(recovery, 5, pointOfKey(key))
          const { x, y } = Point.BASE.multiply(Point.Fn.create(ofGenerator + ofKey * key)).toAffine()
          const s = Point.Fn.mul(x, Point.Fn.inv(ofKey))
          const digest = bytesOf(Point.Fn.mul(ofGenerator, s))
          const yParity = (y & 1n) === 0n ? 0 : 1
          expect(isSignedBy({ digest, r: x, s, yParity }, 5)).toBe(true)
          expect(isSignedBy({ digest, r: x, s, yParity: yParity === 0 ? 1 : 0 }, 5)).toBe(false)
        }),
        { numRuns: RUNS },
      )
    })

    test('where points meet, the signature is refused or the answer is right, and those beside it are answered (A)', () => {
      const factors = fc.constantFrom(0n, 1n, 2n, N - 1n, N - 2n, 1n << 5n, 1n << 8n, 1n << 10n, N - (1n << 10n))
      fc.assert(
        fc.property(fc.constantFrom(...EDGES), scalars, factors, scalars, keysApart, (key, ofKey, factor, s, apart) => {
          // Multiples of keys that are small multiples of the generator themselves.
          learn(recovery, 2, pointOfKey(key))
          const ofGenerator = Point.Fn.create(ofKey * key * factor)
          const digest = bytesOf(Point.Fn.mul(ofGenerator, s))
          const r = Point.Fn.mul(ofKey, s)
          const beside = signed(key, bytesOf(s))
          learn(recovery, 3, pointOfKey(apart))
          const known = signed(apart, bytesOf(ofKey))
          const some: Signed[] = [beside, { digest, r, s, yParity: 0 }, { digest, r, s, yParity: 1 }]
          const [answer, ...others] = recovery.areSignedBy([known, ...some], [3, 2, 2, 2], areWide)
          expect(answer).toBe(true)
          for (const [i, each] of some.entries()) expect(others[i] === false || isBy(each, key)).toBe(true)
        }),
        { numRuns: RUNS },
      )
    })

    test('many of several keys are answered as one by one, in any number', () => {
      const keys = [11n, 12n, 13n].map((key) => key << 190n)
      for (const [i, key] of keys.entries()) learn(recovery, i, pointOfKey(key))
      const made = Array.from({ length: 120 }, (_, i) => signed(keys[i % 3] as bigint, bytesOf(BigInt(i + 1))))
      fc.assert(
        fc.property(fc.nat(60), fc.integer({ min: 0, max: 60 }), fc.nat(59), (start, length, at) => {
          const some = made.slice(start, start + length)
          const numbers = some.map((_, i) => (start + i + (i === at ? 1 : 0)) % 3)
          expect(recovery.areSignedBy(some, numbers, areWide)).toEqual(some.map((_, i) => i !== at))
        }),
        { numRuns: RUNS },
      )
    })

    test('a key stays known while others are learnt, until another has its number', () => {
      const digest = bytesOf(5n)
      const keys = Array.from({ length: 12 }, (_, i) => 1_000n + (BigInt(i) << 180n))
      for (const [i, key] of keys.entries()) learn(recovery, i, pointOfKey(key))
      for (const [i, key] of keys.entries()) {
        for (const at of [i, (i + 1) % keys.length]) expect(isSignedBy(signed(key, digest), at)).toBe(at === i)
      }
      learn(recovery, 3, pointOfKey(77n << 190n))
      expect(isSignedBy(signed(keys[3] as bigint, digest), 3)).toBe(false)
      expect(isSignedBy(signed(77n << 190n, digest), 3)).toBe(true)
    })
  })

  test('there is room for 64 keys, and for 12 wide ones', () => {
    expect(recovery.maxKeys).toEqual({ narrow: 64, wide: 12 })
  })
})

test('a module that the machine does not support is not run', () => {
  expect(KeyRecovery.create(new Uint8Array([0, 0x61, 0x73, 0x6d, 9, 0, 0, 0]))).toBeUndefined()
})

test('a machine without relaxed SIMD is asked for it once, not with each group of signatures', async () => {
  vi.resetModules()
  const validate = vi.spyOn(WebAssembly, 'validate')
  const { keyRecoveryFor } = await import('./recover-keys.ts')
  validate.mockImplementation((bytes) => (bytes as Uint8Array).length !== fusedWasm.length)
  expect(keyRecoveryFor(2)).toBe(keyRecoveryFor(1))
  expect(keyRecoveryFor(64)).toBe(keyRecoveryFor(1))
  expect(validate.mock.calls.filter(([bytes]) => (bytes as Uint8Array).length === fusedWasm.length)).toHaveLength(1)
  validate.mockRestore()
})
