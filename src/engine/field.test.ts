import { setFlagsFromString } from 'node:v8'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '#testing/primitives/runs.ts'
import { wasm as fusedWasm } from './assembly/secp256k1/field.ts?fused-wasm'
import { wasm as scalarWasm } from './assembly/secp256k1/field.ts?wasm'
import { LinearMemory } from './linear-memory.ts'
import { compileWasm, instantiateWasm, type WasmMemory } from './web-assembly.ts'

// Node.js 20 knows relaxed SIMD, but does not say so.
setFlagsFromString('--experimental-wasm-relaxed-simd')

const { p } = secp256k1.Point.CURVE()

/** The runs of a property. */
const RUNS = runsOf(200)
const SCRATCH = 8_192
const REGISTERS = 4

interface Exports {
  readonly memory: WasmMemory
  readonly LANES: { readonly value: number }
  storeWords(to: number, lane: number, v0: bigint, v1: bigint, v2: bigint, v3: bigint): void
  loadWords(to: number, a: number, lane: number): void
  normalize(to: number, a: number): void
  [operation: string]: unknown
}

/** By their names in field.ts: how many numbers they take, and what they make of them. */
const OPERATIONS: Readonly<Record<string, readonly [count: number, (a: bigint, b: bigint, c: bigint) => bigint]>> = {
  multiply: [2, (a, b) => a * b],
  square: [1, (a) => a * a],
  add: [2, (a, b) => a + b],
  twice: [1, (a) => 2n * a],
  thrice: [1, (a) => 3n * a],
  subtract: [2, (a, b) => a - b],
  subtractEightfold: [2, (a, b) => a - 8n * b],
  subtractFromFourfold: [2, (a, b) => 4n * a - b],
  subtractBoth: [3, (a, b, c) => a - b - 2n * c],
  subtractTwo: [3, (a, b, c) => a - b - c],
}

/** Runs of ones and zeros, which produce every carry; and numbers of p or more. */
const edges = fc
  .tuple(fc.integer({ min: 0, max: 256 }), fc.integer({ min: 0, max: 256 }), fc.integer({ min: -2, max: 2 }))
  .map(([high, low, offset]) => BigInt.asUintN(256, (1n << BigInt(high)) - (1n << BigInt(low)) + BigInt(offset)))
const numbers = fc.oneof(
  { arbitrary: fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), weight: 1 },
  { arbitrary: edges, weight: 3 },
  { arbitrary: fc.constantFrom(0n, 1n, p - 1n, p, p + 1n, (1n << 256n) - 1n), weight: 1 },
)
const register = fc.nat({ max: REGISTERS - 1 })
const steps = fc.record({
  name: fc.constantFrom(...Object.keys(OPERATIONS)),
  to: register,
  a: register,
  b: register,
  c: register,
})

describe.each([
  ['one signature at a time', scalarWasm],
  ['two at a time', fusedWasm],
])('%s', async (_name, wasm) => {
  const module = instantiateWasm(await compileWasm(wasm), {}) as Exports
  const memory = new LinearMemory(module.memory)
  const lanes = module.LANES.value
  const at = (index: number) => SCRATCH + 96 * index
  const limb = (value: bigint, i: number) => BigInt.asIntN(64, value >> BigInt(64 * i))

  const put = (index: number, lane: number, value: bigint) =>
    module.storeWords(at(index), lane, limb(value, 0), limb(value, 1), limb(value, 2), limb(value, 3))
  const get = (index: number, lane: number) => {
    module.normalize(at(REGISTERS), at(index))
    module.loadWords(at(REGISTERS + 1), at(REGISTERS), lane)
    return memory.readWord(at(REGISTERS + 1))
  }

  test('any sequence of operations gives the results of BigInt modulo p', () => {
    const all = fc.array(numbers, { minLength: REGISTERS * lanes, maxLength: REGISTERS * lanes })
    fc.assert(
      fc.property(all, fc.array(steps, { maxLength: 40 }), (values, program) => {
        const expected = [...values]
        for (const [i, value] of values.entries()) put(i % REGISTERS, Math.floor(i / REGISTERS), value)
        for (const { name, to, a, b, c } of program) {
          const [count, result] = OPERATIONS[name] as (typeof OPERATIONS)[string]
          const operation = module[name] as (...places: number[]) => void
          operation(at(to), ...[a, b, c].slice(0, count).map(at))
          for (let lane = 0; lane < lanes; lane++) {
            const of = (index: number) => expected[lane * REGISTERS + index] as bigint
            expected[lane * REGISTERS + to] = ((result(of(a), of(b), of(c)) % p) + p) % p
          }
        }
        const found = expected.map((_, i) => get(i % REGISTERS, Math.floor(i / REGISTERS)))
        expect(found).toEqual(expected.map((value) => value % p))
      }),
      { numRuns: RUNS },
    )
  })

  test('each lane can be negated on its own', () => {
    fc.assert(
      fc.property(numbers, numbers, fc.nat({ max: 2 ** lanes - 1 }), (first, second, mask) => {
        put(0, 0, first)
        if (lanes === 2) put(0, 1, second)
        const negateIn = module['negateIn'] as (to: number, a: number, mask: number) => void
        negateIn(at(1), at(0), mask)
        for (const [lane, value] of [first, second].slice(0, lanes).entries()) {
          expect(get(1, lane)).toBe(((mask >> lane) & 1 ? p - (value % p) : value) % p)
        }
      }),
      { numRuns: RUNS },
    )
  })
})
