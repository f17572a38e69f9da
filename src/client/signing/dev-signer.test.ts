import { expect, test } from 'vitest'
import { devSigner } from './dev-signer.ts'

test('a signer is made once, and there is none beyond the tenth', () => {
  expect(devSigner(3)).toBe(devSigner(3))
  expect(() => devSigner(10)).toThrow(RangeError)
})
