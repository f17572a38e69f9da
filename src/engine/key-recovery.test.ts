import { setFlagsFromString } from 'node:v8'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { wasm as fusedWasm } from './assembly/secp256k1/index.ts?fused-wasm'
import { wasm as scalarWasm } from './assembly/secp256k1/index.ts?wasm'
import { FACTORS_BYTES, KeyRecovery, multiplierOf, type Signed } from './key-recovery.ts'

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

/** The runs of a property; `RECOVERY_RUNS` for a long one. */
const RUNS = Number(process.env['RECOVERY_RUNS'] ?? 40)

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

function pointOf(x: bigint, yParity: 0 | 1) {
  try {
    return Point.fromBytes(Uint8Array.of(2 + yParity, ...bytesOf(x)))
  } catch {
    return undefined
  }
}

function expectedSum(points: readonly { r: bigint; yParity: 0 | 1; factors: Uint8Array }[]) {
  return points
    .reduce((sum, { r, yParity, factors }) => {
      const multiplier = multiplierOf(new DataView(factors.buffer, factors.byteOffset), 0)
      const point = pointOf(r, yParity)?.multiplyUnsafe(Point.Fn.create(multiplier))
      return point ? sum.add(point) : sum
    }, Point.ZERO)
    .toAffine()
}

function addUp(points: readonly Uint8Array[]) {
  return points.reduce((sum, point) => sum.add(Point.fromBytes(Uint8Array.of(4, ...point))), Point.ZERO).toAffine()
}

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

  test('the sum of multiples of many points matches @noble/curves', () => {
    const factors = fc.uint8Array({ minLength: FACTORS_BYTES, maxLength: FACTORS_BYTES })
    const points = fc.record({ r: scalars, yParity: parities, factors })
    // More than the module takes at once, and an even number.
    fc.assert(
      fc.property(fc.array(points, { maxLength: 70 }), (any) => {
        const some = any.filter(({ r }) => pointOf(r, 0))
        const all = some.length % 2 === 0 ? some : some.slice(1)
        const sums = recovery.sum(all, Uint8Array.from(all.flatMap((point) => [...point.factors])))
        // Equal points may meet: then there is no sum, but never a wrong one.
        if (sums) expect(addUp(sums)).toEqual(expectedSum(all))
        else expect(new Set(all.map(({ r }) => r)).size).toBeLessThan(all.length)
      }),
      { numRuns: RUNS },
    )
  })

  test('there is no sum if an x is not on the curve', () => {
    // No point of the curve has x = 5.
    const points = [1n, 2n, 3n, 5n].map((r) => ({ r, yParity: 0 as const }))
    expect(recovery.sum(points, new Uint8Array(4 * FACTORS_BYTES).fill(7))).toBeUndefined()
    expect(recovery.sum(points.slice(0, 2), new Uint8Array(2 * FACTORS_BYTES).fill(7))).toBeDefined()
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

test('multiples of the generator match @noble/curves', () => {
  const recovery = KeyRecovery.create(scalarWasm) as KeyRecovery
  const multiply = (scalar: bigint) => {
    const point = recovery.multiplyGenerator(scalar, () => {
      throw new Error('an exceptional scalar')
    })
    expect(Buffer.from(point).toString('hex')).toBe(Point.BASE.multiply(scalar).toHex(false).slice(2))
  }
  for (const scalar of EDGES) multiply(scalar)
  fc.assert(fc.property(scalars, multiply), { numRuns: RUNS })
})

describe('a key that was learnt', () => {
  const learner = KeyRecovery.create(scalarWasm) as KeyRecovery
  const pointOfKey = (key: bigint) => secp256k1.getPublicKey(bytesOf(key), false).slice(1)

  function signed(key: bigint, digest: Uint8Array): Signed {
    const { r, s, recovery } = secp256k1.Signature.fromBytes(
      secp256k1.sign(digest, bytesOf(key), { prehash: false, format: 'recovered' }),
      'recovered',
    )
    return { digest, r, s, yParity: recovery as 0 | 1 }
  }

  test('has signed what gives that key, and nothing else', () => {
    const keys = fc.bigInt({ min: 1n << 200n, max: N - 1n })
    fc.assert(
      fc.property(keys, keys, fc.nat(learner.maxKeys - 1), digests, scalars, (key, other, place, digest, change) => {
        learner.learn(place, pointOfKey(key))
        const right = signed(key, digest)
        if (right.digest.some((byte) => byte !== 0)) expect(learner.isSignedBy(right, place)).toBe(true)
        const wrong: Signed[] = [
          signed(other, digest),
          { ...right, yParity: right.yParity === 0 ? 1 : 0 },
          { ...right, s: N - right.s },
          { ...right, s: change },
          { ...right, r: change },
          { ...right, digest: bytesOf(change) },
          { ...right, r: 0n },
          { ...right, s: N },
          { ...right, r: right.r + N },
        ]
        for (const each of wrong) {
          const isSame = Buffer.from(expected(each) ?? []).equals(pointOfKey(key))
          expect(learner.isSignedBy(each, place)).toBe(isSame)
        }
      }),
      { numRuns: RUNS },
    )
  })

  test('also one of those that formulas tend to fail on is never taken for the signer of what gives another', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EDGES),
        fc.record({ digest: digests, r: scalars, s: scalars, yParity: parities }),
        (key, signature) => {
          learner.learn(0, pointOfKey(key))
          for (const each of [signature, signed(key, signature.digest)]) {
            const isSame = Buffer.from(expected(each) ?? []).equals(pointOfKey(key))
            expect(isSame || !learner.isSignedBy(each, 0)).toBe(true)
          }
        },
      ),
      { numRuns: RUNS },
    )
  })

  test('stays known while others are learnt, until another has its number', () => {
    const digest = bytesOf(5n)
    const keys = Array.from({ length: learner.maxKeys }, (_, i) => 1_000n + (BigInt(i) << 180n))
    for (const [i, key] of keys.entries()) learner.learn(i, pointOfKey(key))
    for (const [i, key] of keys.entries()) {
      for (const at of [i, (i + 1) % keys.length]) expect(learner.isSignedBy(signed(key, digest), at)).toBe(at === i)
    }
    learner.learn(3, pointOfKey(77n << 190n))
    expect(learner.isSignedBy(signed(keys[3] as bigint, digest), 3)).toBe(false)
    expect(learner.isSignedBy(signed(77n << 190n, digest), 3)).toBe(true)
  })

  test('is not asked for where two signatures are recovered at a time', () => {
    expect((KeyRecovery.create(fusedWasm) as KeyRecovery).maxKeys).toBe(0)
  })
})

test('a module that the machine does not support is not run', () => {
  expect(KeyRecovery.create(new Uint8Array([0, 0x61, 0x73, 0x6d, 9, 0, 0, 0]))).toBeUndefined()
})

test('a machine without relaxed SIMD is asked for it once, not with each group of signatures (20)', async () => {
  vi.resetModules()
  const validate = vi.spyOn(WebAssembly, 'validate')
  const { keyRecoveryFor } = await import('./recover-keys.ts')
  validate.mockImplementation((bytes) => (bytes as Uint8Array).length !== fusedWasm.length)
  expect(keyRecoveryFor(2)).toBe(keyRecoveryFor(1))
  expect(keyRecoveryFor(64)).toBe(keyRecoveryFor(1))
  expect(validate.mock.calls.filter(([bytes]) => (bytes as Uint8Array).length === fusedWasm.length)).toHaveLength(1)
  validate.mockRestore()
})
