import { test } from 'vitest'
import { createBls12 } from '#engine/curves/bls12-381.ts'
import { createBn254 } from '#engine/curves/bn254.ts'
import { P256 } from '#engine/curves/p256.ts'
import { concatBytes } from '#primitives/bytes.ts'
import { BLS12_381_POINTS, BN254_POINTS, cancellingPairs, ORDERS } from '#testing/node/evm/points.ts'

for (const [name, create, P, o] of [
  ['bn', createBn254, BN254_POINTS, ORDERS.bn254],
  ['bls', createBls12, BLS12_381_POINTS, ORDERS.bls],
] as const) {
  test(name, async () => {
    const t0 = performance.now()
    const m = await create()
    console.log('create', performance.now() - t0)
    if (!m) throw new Error('no')
    const all = cancellingPairs(P, o, 2)
    const len = all.length / 2
    const add = () => {
      m.beginPairings()
      m.addPair(all.subarray(0, len))
      m.addPair(all.subarray(len))
    }
    const P256PTS = concatBytes(P256.generator, P256.generator)
    const p2 = concatBytes(P.g1(2n), P.g1(3n)),
      p1 = P.g1(2n)
    const time = (f: () => void, n: number) => {
      let best = 1e9
      for (let i = 0; i < n; i++) {
        const t = performance.now()
        f()
        best = Math.min(best, performance.now() - t)
      }
      return best * 1000
    }
    for (let r = 0; r < 3; r++) {
      const a = time(add, 100),
        b = time(() => {
          add()
          m.multiplyPairings()
        }, 100),
        c = time(() => {
          add()
          m.isProductOne()
        }, 100)
      console.log(
        name,
        'add2',
        a.toFixed(1),
        'miller',
        (b - a).toFixed(1),
        'final',
        (c - b).toFixed(1),
        'ecadd',
        time(() => m.addG1(p2), 3000).toFixed(2),
        'ecmul',
        time(() => m.multiplyG1(p1, 2n ** 127n - 98989898989898n, 2n ** 127n - 77777777979n), 200).toFixed(1),
        'p256',
        name === 'bn' ? time(() => m.hasX(P256PTS, 77n, 7n, [7n]), 100).toFixed(1) : '',
      )
    }
  })
}
