import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WasmLocals } from '#engine/compiler/locals.ts'
import { EngineInstance, loadCompiler } from '#engine/engine-instance.ts'
import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, hexToBytes } from '#primitives/hex.ts'
import { countingGuard } from '#testing/node/evm/counting-guard.ts'
import { CONTRACT, send } from '#testing/node/evm/pacing.ts'
import { emptyState } from '../../../state/state-snapshot.ts'
import { WorldState } from '../../../state/world-state.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import type { Engine } from '../../engine.ts'
import { createWasmEngine } from './engine.ts'

await loadCompiler()
const NEVER = { hotAfter: 0, isLimited: true }
/** Compiles each block before it runs for the first time. */
const AT_ONCE = { hotAfter: 1, isLimited: false }
const interpreting = await createWasmEngine(31337, undefined, undefined, NEVER)
const compiling = await createWasmEngine(31337, undefined, undefined, AT_ONCE)

const guard: ExecutionGuard = { checkpoint: () => undefined }
const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

function run(engine: Engine, code: string, input = '', pause: ExecutionGuard = guard) {
  const state = new WorldState(emptyState())
  state.setCode(CONTRACT, hexToBytes(`0x${code}`))
  return send(engine, state, CONTRACT, hexToBytes(`0x${input}`), pause)
}

/** Returns the word on the stack. */
const RETURNED = '5f5260205ff3'
/** Counts down from a number below 65,536 and returns a key. */
const counting = (from: number, key = 7) =>
  `61${key.toString(16).padStart(4, '0')}61${from.toString(16).padStart(4, '0')}5b600190038060065750${RETURNED}`

/** An engine, and how many functions its first instance has room for. */
async function watchedEngine(compilation?: typeof NEVER) {
  const created = vi.spyOn(EngineInstance, 'create')
  onTestFinished(() => created.mockRestore())
  const engine = await createWasmEngine(31337, undefined, undefined, compilation)
  const instance = (await created.mock.results[0]?.value) as EngineInstance
  const none = instance.exports.table.length
  return { engine, functions: () => instance.exports.table.length - none }
}

test('what runs often is compiled, with the same result and gas, and what runs seldom is not', async () => {
  const { engine, functions } = await watchedEngine()
  for (const [from, compiled] of [
    [1_000, 0],
    [50_000, 1],
  ] as const) {
    const result = await run(engine, counting(from))
    expect(result).toEqual(await run(interpreting, counting(from)))
    expect(result.gasUsed).toBe(BigInt(6 + 26 * from + 2 + 13))
    expect(functions()).toBe(compiled)
  }
})

test('a compiled loop pauses like an interpreted one', async () => {
  const [ours, theirs] = [countingGuard(), countingGuard()]
  const result = await run(compiling, '5b5f56', '', ours.guard)
  expect(result).toEqual(await run(interpreting, '5b5f56', '', theirs.guard))
  expect(result.failure?.message).toBe('out of gas')
  expect(ours.looks()).toBe(theirs.looks())
})

test.each([1, 3, 100, 5_000])(
  '%i steps of which none belongs to a block pause and fail like interpreted ones',
  async (count) => {
    const [ours, theirs] = [countingGuard(), countingGuard()]
    const code = `5b5f${'54'.repeat(count)}505f56`
    const result = await run(compiling, code, '', ours.guard)
    expect(result).toEqual(await run(interpreting, code, '', theirs.guard))
    expect(result.failure?.message).toBe('out of gas')
    expect(ours.looks()).toBe(theirs.looks())
  },
)

test.each(['30', '47', '5a', '345f52', '80', '5f54', '60205f5f5e', '5f5f5f5fa2'])(
  'compiled code has the limit of the stack: %s',
  async (body) => {
    const outcomes = new Set<string | undefined>()
    for (let height = 1_016; height <= 1_024; height++) {
      const code = `${'5f'.repeat(height - 1)}5b42504250${body.repeat(2)}00`
      const result = await run(compiling, code)
      expect(result).toEqual(await run(interpreting, code))
      outcomes.add(result.failure?.message)
    }
    expect(outcomes.size).toBeGreaterThan(1)
  },
)

test.each(['5050', '01', '5455', '5e', 'a4', '90', '8750', '0a', '5d', '52', '5157', '3e'])(
  'compiled code needs its words on the stack: %s',
  async (body) => {
    const outcomes = new Set<string | undefined>()
    for (let height = 0; height <= 8; height++) {
      const code = `${'5f'.repeat(height)}5b42504250${body}60015f525f5f525f5f5200`
      const result = await run(compiling, code)
      expect(result).toEqual(await run(interpreting, code))
      outcomes.add(result.failure?.message)
    }
    expect(outcomes.size).toBeGreaterThan(1)
  },
)

test.each([0, 1, 4, 7, 8, 9, 31, 32, 33, 36, 63, 64, 68])(
  'words of an input of %i bytes end with zeros',
  async (size) => {
    const input = Array.from({ length: size }, (_, i) => (0x81 + i).toString(16)).join('')
    for (const offset of [0, 1, 4, 31, 32, 36, 63, 64, 200, 2 ** 31 - 32, 2 ** 31]) {
      // One that is known, and one that is not.
      for (const pushed of [
        `63${offset.toString(16).padStart(8, '0')}`,
        `63${offset.toString(16).padStart(8, '0')}36360301`,
      ]) {
        const code = `5f5f5f5b${pushed}35${RETURNED}`
        const result = await run(compiling, code, input)
        expect(result).toEqual(await run(interpreting, code, input))
        expect(bytesToHex(result.output)).toBe(
          `0x${input
            .slice(2 * offset)
            .slice(0, 64)
            .padEnd(64, '0')}`,
        )
      }
    }
  },
)

test('an addition carries through limbs that are known', async () => {
  // The lowest 64 bits of the input, plus 2^128 - 1 + 2^192.
  const code = `5f3567ffffffffffffffff167801${'00'.repeat(8)}${'ff'.repeat(16)}01${RETURNED}`
  for (const input of ['00', '01', 'ff']) {
    const { output } = await run(compiling, code, input.padStart(64, '0'))
    expect(bytesToBigInt(output)).toBe(BigInt(`0x${input}`) + 2n ** 128n - 1n + 2n ** 192n)
  }
})

test('compiled products of words that are not known are what BigInt says', async () => {
  const limb = fc.oneof(
    fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
    fc.constantFrom(3n, 2n ** 32n - 1n, 2n ** 64n - 1n),
  )
  const word = fc.oneof(limb, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.constantFrom(0n, 2n ** 256n - 1n))
  const hex = (value: bigint) => value.toString(16).padStart(64, '0')
  await fc.assert(
    fc.asyncProperty(word, word, word, limb, async (a, b, n, by) => {
      const products: [code: string, expected: bigint][] = [
        [`67${by.toString(16).padStart(16, '0')}5f3502`, a * by],
        ['6020355f3502', a * b],
        // Behind as much code that a product calls a function.
        [`${'6020355f350150'.repeat(40)}67${by.toString(16).padStart(16, '0')}5f3502`, a * by],
        ['6040356020355f3509', n === 0n ? 0n : (a * b) % n],
        ['6040356020355f3508', n === 0n ? 0n : (a + b) % n],
      ]
      for (const [code, expected] of products) {
        const { output } = await run(compiling, code + RETURNED, hex(a) + hex(b) + hex(n))
        expect(bytesToBigInt(output)).toBe(BigInt.asUintN(256, expected))
      }
    }),
    { numRuns: 100 },
  )
})

test('a compiled jump goes where the stack said before it was written', async () => {
  // After a jump to word 3 of the input, words 0 and 2 change places, and what was word 0 is jumped to: word 1 is returned.
  const code = `5f35602035604035606035565b9156${'5b'.repeat(3)}${RETURNED}`
  for (const [target, isDestination] of [
    [16, true],
    [14, false],
  ] as const) {
    const input = [target, 7, 15, 12].map((word) => word.toString(16).padStart(64, '0')).join('')
    const result = await run(compiling, code, input)
    expect(result).toEqual(await run(interpreting, code, input))
    expect(result.output.at(-1)).toBe(isDestination ? 7 : undefined)
  }
})

test('compiled functions are dropped when there are many, and when the engine forgets the codes', async () => {
  const { engine, functions } = await watchedEngine(AT_ONCE)
  const state = new WorldState(emptyState())
  const call = async (number: number, code: string, size: number) => {
    const padded = new Uint8Array(size)
    padded.set(hexToBytes(`0x${code}`))
    state.setCode(addressOf(number), padded)
    const { output } = await send(engine, state, addressOf(number), new Uint8Array(0), guard)
    expect(Number(bytesToBigInt(output))).toBe(number)
  }
  for (let number = 0x1000; number < 0x1180; number++) await call(number, counting(30, number), 40)
  const most = functions()
  expect(most).toBeLessThan(2 * 0x180)
  for (let number = 0x2000; number < 0x2040; number++) await call(number, counting(30, number), 24_000)
  for (let number = 0x1000; number < 0x1180; number++) await call(number, counting(30, number), 40)
  expect(functions()).toBe(most)
})

test('contracts that each run just often enough do not keep the engine compiling', async () => {
  const { engine, functions } = await watchedEngine()
  const state = new WorldState(emptyState())
  for (let number = 0x1000; number < 0x1200; number++) {
    state.setCode(addressOf(number), hexToBytes(`0x${counting(4_200, number)}`))
    const { output } = await send(engine, state, addressOf(number), new Uint8Array(0), guard)
    expect(Number(bytesToBigInt(output))).toBe(number)
  }
  expect(functions()).toBeGreaterThan(10)
  expect(functions()).toBeLessThan(200)
})

/** Blocks that follow one another, and at the end a jump to the beginning that is not known: none of them begins a loop. */
const notLooping = (blocks: number) => `5b${'345f01505b'.repeat(blocks)}5f3556`

test('many blocks that ask right after each other do not keep the engine compiling', async () => {
  const paths = vi.spyOn(WasmLocals.prototype, 'declare')
  onTestFinished(() => paths.mockRestore())
  let [compiled, most] = [0, 0]
  const watching: ExecutionGuard = {
    checkpoint() {
      const now = paths.mock.calls.length
      most = Math.max(most, now - compiled)
      compiled = now
      return undefined
    },
  }
  const engine = await createWasmEngine(31337)
  const state = new WorldState(emptyState())
  state.setCode(CONTRACT, hexToBytes(`0x${notLooping(200)}`))
  for (let again = 0; again < 2; again++) await send(engine, state, CONTRACT, new Uint8Array(0), watching)
  expect(compiled).toBeGreaterThan(0)
  expect(most).toBeLessThan(20)
})

/** A loop that jumps to one of 15 long pieces of code, by the lowest bits of its counter. */
function jumpingTo15(): string {
  const head = `61ffff5b60019003`
  const targets = [...Array(15).keys()]
  const [firstAt, size] = [8 + 15 * 11 + 4, 1 + 200 * 4 + 4]
  const jumps = targets.map(
    (i) => `80600f1660${byteOf(i)}1461${byteOf((firstAt + i * size) >> 8)}${byteOf(firstAt + i * size)}57`,
  )
  const pieces = targets.map(() => `5b${'5f355150'.repeat(200)}61000356`)
  return `${head}${jumps.join('')}61000356${pieces.join('')}`
}
const byteOf = (value: number) => (value & 0xff).toString(16).padStart(2, '0')

test('not all that a path leads to is compiled with it', async () => {
  const { WebAssembly } = globalThis as unknown as {
    readonly WebAssembly: { Module: new (bytes: Uint8Array) => object }
  }
  const modules = vi.spyOn(WebAssembly, 'Module')
  onTestFinished(() => modules.mockRestore())
  const engine = await createWasmEngine(31337, undefined, undefined, { hotAfter: 64, isLimited: false })
  expect(await run(engine, jumpingTo15())).toEqual(await run(interpreting, jumpingTo15()))
  const sizes = modules.mock.calls.map(([bytes]) => bytes.length)
  expect(sizes.length).toBeGreaterThan(0)
  expect(Math.max(...sizes)).toBeLessThan(64 * 1024)
})

test('nothing is compiled on a host that lacks instructions', async () => {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: { validate(bytes: Uint8Array): boolean } }
  const validated = vi.spyOn(WebAssembly, 'validate').mockReturnValue(false)
  onTestFinished(() => validated.mockRestore())
  const { engine, functions } = await watchedEngine(AT_ONCE)
  expect(await run(engine, counting(2_000))).toEqual(await run(interpreting, counting(2_000)))
  expect(functions()).toBe(0)
  expect(validated).toHaveBeenCalledTimes(1)
})

test('where the host has no room for more code, the engine interprets', async () => {
  const { engine, functions } = await watchedEngine(AT_ONCE)
  const { WebAssembly } = globalThis as unknown as {
    readonly WebAssembly: { Module: new (bytes: Uint8Array) => object }
  }
  const compiled = vi.spyOn(WebAssembly, 'Module').mockImplementation(function refuse() {
    throw new RangeError('WebAssembly.Module(): Out of memory')
  })
  onTestFinished(() => compiled.mockRestore())
  expect(await run(engine, counting(2_000))).toEqual(await run(interpreting, counting(2_000)))
  expect(functions()).toBe(0)
  expect(compiled).toHaveBeenCalledTimes(1)
})
