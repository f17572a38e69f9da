import fc from 'fast-check'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { checksumAddress } from './checksum-address.ts'

test.each([
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
])('%s of EIP-55', (address) => {
  expect(checksumAddress(`0x${address.slice(2).toLowerCase()}`)).toBe(address)
})

test("an address is checksummed like viem's", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-f]{40}$/), (digits) => {
      expect(checksumAddress(`0x${digits}`)).toBe(getAddress(`0x${digits}`))
    }),
  )
})
