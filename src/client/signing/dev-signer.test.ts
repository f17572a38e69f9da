import { expect, test } from 'vitest'
import { devSigner } from './dev-signer.ts'

test('each signer is created once, and there are only ten', () => {
  expect(devSigner(3)).toBe(devSigner(3))
  expect(() => devSigner(10)).toThrow(RangeError)
})
