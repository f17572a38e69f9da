import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Address } from '#primitives/hex.ts'
import { atLeastFloorGas, floorGas, intrinsicGas } from './intrinsic-gas.ts'

const to: Address = `0x${'ab'.repeat(20)}`

test('a plain transfer needs 21,000 gas by either rule', () => {
  const transfer = { to, input: new Uint8Array(0) }
  expect(intrinsicGas(transfer)).toBe(21_000n)
  expect(floorGas(transfer)).toBe(21_000n)
})

test('a zero byte of input costs 4 gas and any other 16; at the floor 10 and 40', () => {
  const call = { to, input: Uint8Array.of(0, 0, 1) }
  expect(intrinsicGas(call)).toBe(21_000n + 2n * 4n + 16n)
  expect(floorGas(call)).toBe(21_000n + 2n * 10n + 40n)
})

test('a creation costs 53,000 gas plus 2 per started word of initcode', () => {
  expect(intrinsicGas({ to: null, input: new Uint8Array(0) })).toBe(53_000n)
  expect(intrinsicGas({ to: null, input: new Uint8Array(32) })).toBe(53_000n + 32n * 4n + 2n)
  expect(intrinsicGas({ to: null, input: new Uint8Array(33) })).toBe(53_000n + 33n * 4n + 4n)
})

test('the floor of a creation is that of a call', () => {
  expect(floorGas({ input: new Uint8Array(33) })).toBe(21_000n + 330n)
})

test('an access list costs 2,400 gas an address and 1,900 a key', () => {
  const accessList = [{ storageKeys: ['0x01', '0x02'] }, { storageKeys: [] }]
  expect(intrinsicGas({ to, input: new Uint8Array(0), accessList })).toBe(21_000n + 2n * 2_400n + 2n * 1_900n)
})

test('each authorization costs 25,000 gas', () => {
  expect(intrinsicGas({ to, input: new Uint8Array(0), authorizationList: [{}, {}] })).toBe(71_000n)
})

test('a transaction uses at least the floor of EIP-7623', () => {
  const inputs = fc.uint8Array({ maxLength: 40 })
  fc.assert(
    fc.property(inputs, fc.bigInt({ min: 20_990n, max: 22_700n }), (input, gas) => {
      const floor = floorGas({ input })
      expect(atLeastFloorGas(gas, { input })).toBe(gas > floor ? gas : floor)
    }),
  )
})
