import { bls12_381 } from '@noble/curves/bls12-381.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToBigInt } from '#primitives/bytes.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { wasm } from './assembly/inversion/lehmer.ts?wasm'
import { wasm as wideWasm } from './assembly/inversion/lehmer.ts?wide-wasm'
import { littleEndian } from './field-constants.ts'
import { compileWasm, instantiateWasm, type WasmMemory } from './web-assembly.ts'

/** The runs of a property. An inversion can be wrong for one number in a thousand. */
const RUNS = runsOf(4_000)
const SCRATCH = 4_096
const MODULUS_AT = 8_192

interface Exports {
  readonly memory: WasmMemory
  invert(at: number, modulus: number): void
  invertWords(at: number): void
  invertScalarWords(at: number): void
}

const narrow = instantiateWasm(await compileWasm(wasm), {}) as Exports
const wide = instantiateWasm(await compileWasm(wideWasm), {}) as Exports
const { p, n } = secp256k1.Point.CURVE()
const BLS = bls12_381.fields.Fp.ORDER

const read = ({ memory }: Exports, size: number) =>
  bytesToBigInt(new Uint8Array(memory.buffer).slice(SCRATCH, SCRATCH + size).reverse())

const write = ({ memory }: Exports, at: number, value: bigint, size: number) =>
  new Uint8Array(memory.buffer).set(littleEndian(value, size), at)

const invertWide = () => {
  write(wide, MODULUS_AT, BLS, 48)
  wide.invert(SCRATCH, MODULUS_AT)
}

/** Numbers whose first quotients are large, or whose quotients are all small: where the highest bits tell the least. */
function hostile(modulus: bigint): fc.Arbitrary<bigint> {
  const bits = modulus.toString(2).length - 1
  const phi = (modulus * 618_033_988_749_894_848n) / 10n ** 18n
  const small = fc.bigInt({ min: 1n, max: (1n << 70n) - 1n })
  return fc.oneof(
    { arbitrary: fc.bigInt({ min: 1n, max: modulus - 1n }), weight: 9 },
    { arbitrary: fc.nat(bits - 1).chain((most) => fc.bigInt({ min: 1n, max: 1n << BigInt(most) })), weight: 4 },
    { arbitrary: fc.nat(bits - 1).map((bit) => 1n << BigInt(bit)), weight: 1 },
    { arbitrary: fc.tuple(small, small).map(([by, less]) => modulus / by - (less % (modulus / by))), weight: 3 },
    { arbitrary: small.map((less) => modulus - less), weight: 1 },
    { arbitrary: small.map((more) => phi + more), weight: 1 },
    { arbitrary: fc.constantFrom(1n, 2n, 3n, modulus - 1n, modulus / 2n, modulus / 2n + 1n), weight: 1 },
  )
}

test.each([
  ['the prime of secp256k1', p, narrow, 32, () => narrow.invertWords(SCRATCH)],
  ['the order of its group', n, narrow, 32, () => narrow.invertScalarWords(SCRATCH)],
  ['the prime of BLS12-381', BLS, wide, 48, invertWide],
] as const)('a number times its inverse is 1 modulo %s', (_name, modulus, exports, size, invert) => {
  fc.assert(
    fc.property(hostile(modulus), (number) => {
      fc.pre(number > 0n)
      write(exports, SCRATCH, number, size)
      invert()
      const inverse = read(exports, size)
      expect(inverse).toBeLessThan(modulus)
      expect((number * inverse) % modulus).toBe(1n)
    }),
    { numRuns: RUNS },
  )
})

test('the inverse of 0 is 0', () => {
  write(narrow, SCRATCH, 0n, 32)
  narrow.invertWords(SCRATCH)
  expect(read(narrow, 32)).toBe(0n)
})
