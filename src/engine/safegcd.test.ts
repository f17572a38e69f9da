import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wasm } from './assembly/inversion/safegcd.ts?wasm'
import { LinearMemory } from './linear-memory.ts'
import { compileWasm, instantiateWasm, type WasmMemory } from './web-assembly.ts'

/** The runs of a property; `RECOVERY_RUNS` for a long one. Division steps can be wrong for one number in a thousand. */
const RUNS = 100 * Number(process.env['RECOVERY_RUNS'] ?? 40)
const SCRATCH = 4_096

interface Exports {
  readonly memory: WasmMemory
  invertWords(at: number): void
  invertScalarWords(at: number): void
}

const { memory, invertWords, invertScalarWords } = instantiateWasm(await compileWasm(wasm), {}) as Exports
const words = new LinearMemory(memory)
const { p, n } = secp256k1.Point.CURVE()

test.each([
  ['the prime', p, invertWords],
  ['the order of the group', n, invertScalarWords],
])('a number times its inverse is 1 modulo %s', (_name, modulus, invert) => {
  const edges = [1n, 2n, 3n, modulus - 1n, modulus - 2n, modulus / 2n, modulus / 2n + 1n, 1n << 255n, (1n << 30n) - 1n]
  const numbers = fc.oneof(
    { arbitrary: fc.bigInt({ min: 1n, max: modulus - 1n }), weight: 9 },
    { arbitrary: fc.bigInt({ min: 0n, max: 255n }).map((bits) => 1n << bits), weight: 1 },
    { arbitrary: fc.constantFrom(...edges), weight: 1 },
  )
  fc.assert(
    fc.property(numbers, (number) => {
      words.writeWord(SCRATCH, number)
      invert(SCRATCH)
      const inverse = words.readWord(SCRATCH)
      expect(inverse).toBeLessThan(modulus)
      expect((number * inverse) % modulus).toBe(1n)
    }),
    { numRuns: RUNS },
  )
})

test('the inverse of 0 is 0', () => {
  words.writeWord(SCRATCH, 0n)
  invertWords(SCRATCH)
  expect(words.readWord(SCRATCH)).toBe(0n)
})
