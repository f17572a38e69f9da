import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'
import { nodeOptionsFromUrl } from '#client/node/node-options-from-url.ts'
import { qrPath } from './QrCode.tsx'
import { stepsOf } from './record-scenario.ts'
import { shareAddress } from './share-address.ts'

test('the address is of a chain in memory with the same options', () => {
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

test('a transaction is sent right before the tick that took it', () => {
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

test('a camera reads the code as the text, and a text that none would read has no code', () => {
  const text = 'https://blinknet.example/?storage=off&seed=7#s=abc'
  const code = qrPath(text)
  expect(code && decodeQR(draw(code.size, code.path))).toBe(text)
  expect(qrPath('x'.repeat(901))).toBeUndefined()
})

/** The code as pixels, four to a side of a square. */
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
