import fc from 'fast-check'
import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'
import { NODE_PARAMETERS, nodeOptionsFromUrl } from '#client/node/node-options-from-url.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { NUMBERS } from '#rpc-types/option-tables.derived.ts'
import { qrPath } from './QrCode.tsx'
import { stepsOf } from './record-scenario.ts'
import { shareAddress } from './share-address.ts'

test('the address opens a chain in memory with the same options', () => {
  const options = { seed: 7, chainId: 31337, partialMs: 50, partialsPerBlock: 5, mode: 'manual' as const }
  const address = shareAddress('https://blinknet.example/', options, 'AbC')
  expect(address).toBe('https://blinknet.example/?storage=off&seed=7&partialMs=50&partials=5&clock=manual#s=AbC')
  const read = nodeOptionsFromUrl(new URL(address).search)
  expect(read).toEqual({
    options: { seed: 7, partialMs: 50, partialsPerBlock: 5, mode: 'manual' },
    chain: undefined,
    warnings: [],
  })
})

const SWITCHES: readonly string[] = ['sameTimestamp', 'impersonatedSignatures', 'op']

/** A valid value of the parameter, mostly not the default. */
function valueOf(parameter: string): fc.Arbitrary<string> {
  if (parameter === 'clock') return fc.constantFrom('auto', 'manual')
  if (parameter === 'engine') return fc.constantFrom('wasm', 'reference')
  if (parameter === 'atomic') return fc.constantFrom('unsupported', 'ready', 'supported')
  if (parameter === 'forkTime') return fc.constantFrom('block', 'now')
  if (parameter === 'speed') return fc.integer({ min: 1, max: 1_000 }).map((tenths) => String(tenths / 10))
  if (SWITCHES.includes(parameter)) return fc.constant('on')
  const isTaken = (text: string) => nodeOptionsFromUrl(`?${parameter}=${text}`).warnings.length === 0
  // The filter below would look without end for a number of a parameter that takes none.
  if (!['1', '50', '100000000'].some(isTaken)) throw new Error(`this test knows no value of ?${parameter}=`)
  const number = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 2 ** 32 - 1 })).map(String)
  return number.filter(isTaken)
}

test('every option that an address can have is in the shared address', () => {
  const asked = fc.record(Object.fromEntries(NODE_PARAMETERS.map((parameter) => [parameter, valueOf(parameter)])), {
    requiredKeys: [],
  })
  const defaults = {
    mode: 'auto',
    engine: 'wasm',
    forkTime: 'block',
    atomic: 'unsupported',
    allowSameTimestamp: false,
    impersonatedSignatures: false,
    op: false,
    ...Object.fromEntries(NUMBERS.map((name) => [name, OPTION_RANGES[name].default])),
  }
  fc.assert(
    fc.property(asked, (parameters) => {
      const { options, warnings } = nodeOptionsFromUrl(`?${new URLSearchParams(parameters as Record<string, string>)}`)
      expect(warnings).toEqual([])
      expect(Object.keys(options)).toHaveLength(Object.keys(parameters).length)
      const shared = nodeOptionsFromUrl(new URL(shareAddress('https://blinknet.example/', options, undefined)).search)
      expect(shared.warnings).toEqual([])
      expect({ ...defaults, ...shared.options }).toEqual({ ...defaults, ...options })
    }),
  )
})

test('a transaction is sent right before the tick that included it', () => {
  expect(
    stepsOf(
      [
        { raw: '0x01', beforeTick: 1 },
        { raw: '0x02', beforeTick: 1 },
        { raw: '0x03', beforeTick: 10 },
      ],
      13,
    ),
  ).toEqual([
    { kind: 'send', raw: '0x01' },
    { kind: 'send', raw: '0x02' },
    { kind: 'ticks', count: 9 },
    { kind: 'send', raw: '0x03' },
    { kind: 'ticks', count: 4 },
  ])
})

test('a camera reads the text from the code, and a text that is too long has no code', () => {
  const text = 'https://blinknet.example/?storage=off&seed=7#s=abc'
  const code = qrPath(text)
  expect(code && decodeQR(draw(code.size, code.path))).toBe(text)
  expect(qrPath('x'.repeat(901))).toBeUndefined()
})

/** Draws the code with four pixels per side of a square. */
function draw(size: number, path: string) {
  const scale = 4
  const width = size * scale
  const data = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)/g)) {
    for (let i = 0; i < scale * scale; i++) {
      const column = Number(x) * scale + (i % scale)
      const row = Number(y) * scale + Math.floor(i / scale)
      data.set([0, 0, 0, 255], (row * width + column) * 4)
    }
  }
  return { width, height: width, data }
}
