import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { createSpec } from './create-spec.ts'
import { InvalidOptionError } from './invalid-option-error.ts'
import { PREINSTALLED_CONTRACTS } from './preinstalled-contracts.ts'

const ACCOUNT = `0x${'ab'.repeat(20)}` as const
const ETHER = 10n ** 18n

function refusal(options: unknown): string {
  try {
    createSpec(options as NodeOptions)
  } catch (error) {
    if (error instanceof InvalidOptionError) return error.message
    throw error
  }
  throw new Error('the options were accepted')
}

test('by default there are ten development accounts with 10,000 ETH each', () => {
  const { accounts, alloc } = createSpec({})
  expect(accounts.map(({ address }) => address)).toEqual(DEV_KEYS.map(({ address }) => address))
  for (const { address, balance } of accounts) {
    expect(balance).toBe(10_000n * ETHER)
    expect(alloc[address]).toEqual({ balance })
  }
})

test('the defaults of the base fee and of finalized adapt to the other options', () => {
  expect(createSpec({ minBaseFee: 2_000_000_000 })).toMatchObject({ baseFee: 2_000_000_000n })
  expect(createSpec({ safeDistance: 100 })).toMatchObject({ safeDistance: 100, finalizedDistance: 100 })
  expect(createSpec({ finalizedDistance: 3 })).toMatchObject({ safeDistance: 3, finalizedDistance: 3 })
  expect(createSpec({ baseFee: 0 })).toMatchObject({ baseFee: 0n, minBaseFee: 0n })
})

test.each([
  [{ baseFee: 1, minBaseFee: 2 }, 'baseFee must be at least minBaseFee, which is 2, not 1'],
  [{ baseFee: -1 }, 'baseFee must be a whole number from 0 to 1125899906842624, not -1'],
  [{ safeDistance: 5, finalizedDistance: 4 }, 'finalizedDistance must be at least safeDistance, which is 5, not 4'],
  [{ coinbase: '0x42' }, 'coinbase must be an address, 0x and 40 hex digits, not "0x42"'],
  [
    { accounts: [{ address: ACCOUNT, balance: '1 ETH' }] },
    'accounts[0].balance must be a whole number, in decimal or as 0x hex, not "1 ETH"',
  ],
  [
    { accounts: [ACCOUNT, ACCOUNT.toUpperCase().replace('X', 'x')].map((address) => ({ address, balance: '1' })) },
    `accounts[1].address is there twice: ${ACCOUNT}`,
  ],
  [
    { accounts: [{ address: ACCOUNT, balance: '1', privateKey: toWord(1) }] },
    `accounts[0].privateKey is not the key of ${ACCOUNT}`,
  ],
  [
    { accounts: [{ address: ACCOUNT, balance: '1', privateKey: '0x01' }] },
    `accounts[0].privateKey is not the key of ${ACCOUNT}`,
  ],
])('%j is refused', (options, message) => {
  expect(refusal(options)).toBe(message)
})

test('accounts of one’s own replace the defaults', () => {
  const key = toWord(1)
  const { address } = privateKeyToAccount(key)
  const { accounts, alloc } = createSpec({
    accounts: [
      { address, privateKey: key, balance: '0x10' },
      { address: ACCOUNT, balance: '17' },
    ],
  })
  expect(accounts).toMatchObject([
    { address: address.toLowerCase(), balance: 16n },
    { address: ACCOUNT, balance: 17n, privateKey: undefined },
  ])
  expect(alloc[DEV_KEYS[0]?.address as `0x${string}`]).toBeUndefined()
  expect(alloc[ACCOUNT]).toEqual({ balance: 17n })
})

test('genesis entries are read as geth reads them', () => {
  const { alloc } = createSpec({
    genesis: {
      // Without 0x, and in capitals.
      ['AB'.repeat(20)]: { balance: '0xff', nonce: 3, code: '0x6001', storage: { '0x1': '0x2', '03': 'FF' } },
      [`0x${'cd'.repeat(20)}`]: { balance: '1000000000000000000' },
    },
  })
  expect(alloc[ACCOUNT]).toEqual({
    balance: 255n,
    nonce: 3n,
    code: '0x6001',
    storage: { [toWord(1)]: toWord(2), [toWord(3)]: toWord(255) },
  })
  expect(alloc[`0x${'cd'.repeat(20)}`]).toEqual({ balance: ETHER })
})

test('a genesis entry changes only the fields of a default account that it names', () => {
  const [developer, contract] = [DEV_KEYS[0], PREINSTALLED_CONTRACTS[0]]
  if (!developer || !contract) throw new RangeError('there are no defaults')
  const { alloc } = createSpec({
    genesis: { [developer.address]: { nonce: 7 }, [contract.address]: { code: '0x', balance: 1 } },
  })
  expect(alloc[developer.address]).toEqual({ balance: 10_000n * ETHER, nonce: 7n })
  expect(alloc[contract.address]).toEqual({ balance: 1n, nonce: 1n, code: '0x' })
})

const KEY = 'ab'.repeat(20)
test.each([
  [[], 'genesis must be an object, not []'],
  [null, 'genesis must be an object, not null'],
  [{ '0x12': {} }, 'genesis: a key must be an address, 0x and 40 hex digits, not "0x12"'],
  [{ [KEY]: {}, [`0x${KEY}`]: {} }, `genesis: 0x${KEY} is there twice`],
  [{ [KEY]: 5 }, `genesis: ${KEY} must be an object, not 5`],
  [
    { [KEY]: { ballance: '1' } },
    `genesis: ${KEY}: there is no "ballance"; an account has balance, nonce, code and storage`,
  ],
  [
    { [KEY]: { balance: '1 ETH' } },
    `genesis: ${KEY}: balance must be a whole number, in decimal or as 0x hex, not "1 ETH"`,
  ],
  [
    { [KEY]: { balance: 1e22 } },
    `genesis: ${KEY}: balance is too large for a JSON number: write it as a string, not 1e+22`,
  ],
  [{ [KEY]: { balance: -1 } }, `genesis: ${KEY}: balance must be a whole number, in decimal or as 0x hex, not -1`],
  [
    { [KEY]: { nonce: '0xffffffffffffffff' } },
    `genesis: ${KEY}: nonce must be at most 18446744073709551614, not "0xffffffffffffffff"`,
  ],
  [
    { [KEY]: { code: '0x123' } },
    `genesis: ${KEY}: code must be bytes, 0x and an even number of hex digits, not "0x123"`,
  ],
  [{ [KEY]: { storage: [] } }, `genesis: ${KEY}: storage must be an object, not []`],
  [
    { [KEY]: { storage: { x: '1' } } },
    `genesis: ${KEY}: storage: a key must be a word of up to 64 hex digits, not "x"`,
  ],
  [
    { [KEY]: { storage: { '0x1': '1'.repeat(65) } } },
    `genesis: ${KEY}: storage["0x1"] must be a word of up to 64 hex digits, not "${'1'.repeat(65)}"`,
  ],
  [{ [KEY]: { storage: { '0x1': '1', '01': '2' } } }, `genesis: ${KEY}: storage: slot ${toWord(1)} is there twice`],
])('a genesis of %j is refused, and the entry named', (genesis, message) => {
  expect(refusal({ genesis })).toBe(message)
})

test('any invalid genesis is refused with a typed error', () => {
  const entry = fc.dictionary(fc.constantFrom('balance', 'nonce', 'code', 'storage', 'x'), fc.jsonValue())
  const key = fc.oneof(fc.string(), fc.constant(KEY), fc.constant('__proto__'))
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.oneof(entry, fc.jsonValue()))), (genesis) => {
      try {
        expect(createSpec({ genesis: genesis as NonNullable<NodeOptions['genesis']> })).toHaveProperty('alloc')
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidOptionError)
      }
    }),
  )
})

test('accounts that are funded have that balance in block 0, whatever else they are', () => {
  const [developer] = DEV_KEYS
  const [contract] = PREINSTALLED_CONTRACTS
  if (!developer || !contract) throw new Error('there are defaults')
  const { alloc, accounts, funded } = createSpec({
    genesis: { [ACCOUNT]: { balance: 7, nonce: 3 } },
    fundAccounts: { [ACCOUNT.toUpperCase().replace('X', 'x')]: '0x5', [developer.address]: 6, [contract.address]: '8' },
  })
  expect(alloc[ACCOUNT]).toEqual({ balance: 5n, nonce: 3n })
  expect(alloc[developer.address]).toEqual({ balance: 6n })
  expect(alloc[contract.address]).toEqual({ balance: 8n, nonce: 1n, code: contract.code })
  expect(funded).toEqual({ [ACCOUNT]: 5n, [developer.address]: 6n, [contract.address]: 8n })
  expect(accounts).toHaveLength(DEV_KEYS.length)
})

test.each([
  [[], 'fundAccounts must be an object, not []'],
  [{ '0x12': '1' }, 'fundAccounts: a key must be an address, 0x and 40 hex digits, not "0x12"'],
  [
    { __proto__: null, constructor: '1' },
    'fundAccounts: a key must be an address, 0x and 40 hex digits, not "constructor"',
  ],
  [{ [ACCOUNT]: '1', [ACCOUNT.replaceAll('a', 'A')]: '2' }, `fundAccounts: ${ACCOUNT} is there twice`],
  [{ [ACCOUNT]: '1 ETH' }, `fundAccounts: ${ACCOUNT} must be a whole number, in decimal or as 0x hex, not "1 ETH"`],
  [{ [ACCOUNT]: 1e22 }, `fundAccounts: ${ACCOUNT} is too large for a JSON number: write it as a string, not 1e+22`],
  [{ [ACCOUNT]: String(2n ** 128n + 1n) }, `fundAccounts: ${ACCOUNT} must be at most ${2n ** 128n}`],
  [
    Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`0x${String(i).padStart(40, '0')}`, '1'])),
    'fundAccounts must be at most 1000, not 1001',
  ],
])('funds of %j are refused', (fundAccounts, message) => {
  expect(refusal({ fundAccounts })).toContain(message)
})
