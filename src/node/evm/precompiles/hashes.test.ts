import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectSame, isExactPrice } from '#testing/node/evm/precompiles.ts'

describe.each([
  ['SHA-256', 2],
  ['RIPEMD-160', 3],
])('%s', (_, address) => {
  test('equals the library’s for any input, in one portion or many', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (data) => {
        expect((await expectSame(address, data)).isFailure).toBe(false)
      }),
    )
    await expectSame(address, new Uint8Array(300_001).fill(0xab))
    await expectSame(address, new Uint8Array(2 * 131_072).fill(0xcd))
  })

  test('costs what the library charges, to the last gas', async () => {
    const data = new Uint8Array(33)
    expect(await isExactPrice(address, data)).toBe(true)
  })
})
