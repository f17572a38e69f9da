import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { bytesToHex, hexToBytes } from './hex.ts'

test('bytes of any length become the digits that Node.js makes of them, and digits become the bytes again', () => {
  const sizes = fc.oneof(fc.nat({ max: 40 }), fc.constantFrom(1023, 1024, 1025, 4095, 4096, 4097, 8192, 10_000))
  fc.assert(
    fc.property(sizes, fc.nat({ max: 255 }), (size, seed) => {
      const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 31 + seed * (i >> 3)) & 255)
      const hex = bytesToHex(bytes)
      expect(hex).toBe(`0x${Buffer.from(bytes).toString('hex')}`)
      expect(hexToBytes(hex)).toEqual(bytes)
    }),
  )
})

/** `Uint8Array.fromHex` of newer engines, built from Node.js's means: strict, as in browsers. */
function setFromHex(this: Uint8Array, digits: string): void {
  if (!/^([0-9a-f]{2})*$/i.test(digits)) throw new SyntaxError('not a hex digit')
  this.set(Buffer.from(digits, 'hex'))
}

describe.each([
  ['digit by digit', undefined],
  ['by the machine', setFromHex],
])('%s', async (_how, own) => {
  vi.resetModules()
  Object.assign(Uint8Array.prototype, { setFromHex: own })
  const hex = await import('./hex.ts')
  Reflect.deleteProperty(Uint8Array.prototype, 'setFromHex')

  test('digits of either case are read', () => {
    const digits = '0123456789abcdefABCDEF'
    expect(hex.hexToBytes(`0x${digits}`)).toEqual(Uint8Array.from(Buffer.from(digits, 'hex')))
    expect(hex.hexToBytes('0x')).toEqual(new Uint8Array(0))
  })

  test.each([0, 1, 20, 32, 33])('%i bytes are put among others', (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => i + 7)
    const others = new Uint8Array(50).fill(1)
    hex.setHex(others, 5, hex.bytesToHex(bytes))
    expect(others).toEqual(Uint8Array.from({ length: 50 }, (_, i) => bytes[i - 5] ?? 1))
    expect(() => hex.setHex(others, 49, '0x0011')).toThrow(RangeError)
  })

  test.each(['', '00', '0X00', '0x0', '0x0g', '0xg0', '0x:0', '0x/0', '0x@0', '0x`0', '0x00é0', '0x00Ā0', '0x 0'])(
    '%j is refused',
    (text) => {
      expect(() => hex.hexToBytes(text)).toThrow(new RangeError(`not a hex byte string: ${text}`))
    },
  )

  test.each(['0g', 'g0', '\u01300', '0\u0130', 'é0', ' 0', '０0'])('%j is refused after many digits', (pair) => {
    const text = `0x${'5a'.repeat(200)}`
    expect(hex.hexToBytes(text)).toEqual(new Uint8Array(200).fill(0x5a))
    expect(() => hex.hexToBytes(`${text}${pair}`)).toThrow(RangeError)
    expect(() => hex.hexToBytes(`${text}${pair}5a`)).toThrow(RangeError)
  })
})
