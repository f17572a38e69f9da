import { hashTypedData, hexToBigInt, recoverAddress, stringToHex, verifyMessage, verifyTypedData } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import type { MethodName } from '#rpc-types/methods.ts'
import { viemWallet } from '#testing/node/rpc/viem-client.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'

const account = devAccount(0)
const STRANGER = `0x${'99'.repeat(20)}` as const

const typed = {
  domain: { name: 'Blinknet', version: '1', chainId: 31337, verifyingContract: STRANGER },
  types: {
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallets', type: 'address[]' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person[]' },
      { name: 'amount', type: 'uint256' },
      { name: 'change', type: 'int64' },
      { name: 'urgent', type: 'bool' },
      { name: 'payload', type: 'bytes' },
      { name: 'tag', type: 'bytes4' },
    ],
  },
  primaryType: 'Mail',
  message: {
    from: { name: 'Ada', wallets: [STRANGER] },
    to: [{ name: 'Bob', wallets: [] }],
    amount: 2n ** 255n,
    change: -5n,
    urgent: true,
    payload: '0xc0ffee',
    tag: '0x01020304',
  },
} as const

/** As JSON: numbers too large for it are text. */
const typedJson = JSON.stringify(
  {
    ...typed,
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      ...typed.types,
    },
  },
  (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
)

let node: TestNode
beforeAll(async () => {
  node = await createTestNode({ mode: 'manual' })
})

test.each(['', 'hello', 'naïve ☃', '0xzz', '0x123'])(
  'a wallet signs the message %j and viem verifies it',
  async (message) => {
    const signature = await viemWallet(node, account.address).signMessage({ message })
    expect(signature).toBe(await account.signMessage({ message }))
    expect(await verifyMessage({ address: account.address, message, signature })).toBe(true)
  },
)

test('a message may be text, which is signed as UTF-8; a password is ignored', async () => {
  const expected = await account.signMessage({ message: 'naïve ☃' })
  expect(await node.request('personal_sign', ['naïve ☃', account.address])).toBe(expected)
  expect(await node.request('personal_sign', [stringToHex('naïve ☃'), account.address, 'secret'])).toBe(expected)
})

test('eth_sign signs bytes as a personal message', async () => {
  const raw = '0x00ff80'
  const signature = await node.request('eth_sign', [account.address, raw])
  expect(signature).toBe(await account.signMessage({ message: { raw } }))
})

test('personal_ecRecover answers the signer', async () => {
  const signature = await devAccount(3).signMessage({ message: 'hello' })
  const expected = devAccount(3).address.toLowerCase()
  expect(await node.request('personal_ecRecover', [stringToHex('hello'), signature])).toBe(expected)
  expect(await node.request('personal_ecRecover', ['hello', signature])).toBe(expected)
  expect(await node.request('personal_ecRecover', ['hallo', signature])).not.toBe(expected)
})

test.each([
  [`0x${'11'.repeat(64)}`, -32602, 'invalid argument 1: signature must be 65 bytes long'],
  [`0x${'11'.repeat(64)}00`, -32602, 'invalid argument 1: invalid Ethereum signature (V is not 27 or 28)'],
  [`0x${'00'.repeat(64)}1b`, -32000, 'recovery failed'],
])('personal_ecRecover refuses the signature %s', async (signature, code, message) => {
  await expect(node.request('personal_ecRecover', ['0x', signature])).rejects.toMatchObject({
    error: { code, message },
  })
})

test('a wallet signs typed data and viem verifies it', async () => {
  const signature = await viemWallet(node, account.address).signTypedData(typed)
  expect(signature).toBe(await account.signTypedData(typed))
  expect(await verifyTypedData({ ...typed, address: account.address, signature })).toBe(true)
})

test.each(['eth_signTypedData_v4', 'eth_signTypedData_v3', 'eth_signTypedData'])(
  '%s takes typed data as JSON text and as an object',
  async (method) => {
    const digest = hashTypedData(typed)
    for (const data of [typedJson, JSON.parse(typedJson) as unknown]) {
      const signature = await node.request(method as 'eth_signTypedData_v4', [account.address, data])
      expect(await recoverAddress({ hash: digest, signature })).toBe(account.address)
      expect([27n, 28n]).toContain(hexToBigInt(`0x${signature.slice(-2)}`))
    }
  },
)

const mail = JSON.parse(typedJson) as { message: Record<string, unknown>; types: Record<string, unknown> }
const withMessage = (message: object) => ({ ...mail, message: { ...mail.message, ...message } })

test.each([
  ['no JSON', '{', 'typed data is not valid JSON'],
  ['no object', 5, 'json: cannot unmarshal number into Go struct field TypedData of type object'],
  [
    'no types',
    { ...mail, types: null },
    'json: cannot unmarshal null into Go struct field TypedData.types of type object',
  ],
  [
    'a type without members',
    { ...mail, types: { Mail: 1 } },
    'json: cannot unmarshal number into Go struct field TypedData.types.Mail of type []apitypes.Type',
  ],
  [
    'a member without a type',
    { ...mail, types: { Mail: [{ name: 'x' }] } },
    'TypedData.types.Mail has a member without name and type',
  ],
  [
    'no primary type',
    { ...mail, primaryType: 1 },
    'json: cannot unmarshal number into Go struct field TypedData.primaryType of type string',
  ],
  ['an unknown primary type', { ...mail, primaryType: 'Post' }, 'invalid typed data: Invalid primary type `Post`'],
  ['a text for a number', withMessage({ amount: 'many' }), 'invalid typed data'],
  ['a number too large', withMessage({ amount: (2n ** 256n).toString() }), 'invalid typed data'],
  ['something other than a number', withMessage({ amount: null }), 'invalid typed data'],
  [
    'a short address',
    withMessage({ from: { name: '', wallets: ['0x12'] } }),
    'invalid typed data: Address "0x12" is invalid',
  ],
  ['a missing struct', withMessage({ from: undefined }), 'invalid typed data'],
  [
    'a member of a type that every object has',
    { ...mail, types: { ...mail.types, Mail: [{ name: 'x', type: 'constructor' }] } },
    'invalid typed data',
  ],
])('typed data with %s is refused', async (_what, data, message) => {
  const refused = node.request('eth_signTypedData_v4', [account.address, data])
  await expect(refused).rejects.toMatchObject({ error: { code: -32602 } })
  await expect(refused).rejects.toThrow(`invalid argument 1: ${message}`)
  expect(node.logged).toEqual([])
})

test.each([
  ['eth_sign', [STRANGER, '0x00']],
  ['personal_sign', ['0x00', STRANGER]],
  ['eth_signTypedData_v4', [STRANGER, typedJson]],
] as const)('%s refuses an unknown account', async (method, params) => {
  await expect(node.request(method, params)).rejects.toMatchObject({
    error: { code: -32000, message: 'unknown account' },
  })
})

const named = (chainId: unknown) => ({
  ...(JSON.parse(typedJson) as typeof typed),
  domain: { ...typed.domain, chainId },
})

test.each([1, '1', '0x1', 2 ** 53, '', [31337], true, { a: 1 }])(
  'typed data for the chain id %j is refused by every name of the method',
  async (chainId) => {
    for (const method of ['eth_signTypedData', 'eth_signTypedData_v3', 'eth_signTypedData_v4']) {
      await expect(node.requestLoosely(method as MethodName, [account.address, named(chainId)])).rejects.toMatchObject({
        error: { code: -32000, message: expect.stringContaining('--allow-foreign-typed-data') as string },
      })
    }
  },
)

test('typed data for another chain id is signed if that is allowed, and for this one in any spelling', async () => {
  const open = await createTestNode({ mode: 'manual', allowForeignTypedData: true })
  for (const [at, chainId] of [
    [open, 1],
    [node, '31337'],
    [node, '0x7a69'],
    // Any chain.
    [node, 0],
    [node, '0x0'],
  ] as const) {
    const signature = await at.requestLoosely('eth_signTypedData_v4', [account.address, named(chainId)])
    const signed = {
      ...typed,
      domain: { ...typed.domain, chainId: Number(chainId) },
      signature,
      address: account.address,
    }
    expect(await verifyTypedData(signed)).toBe(true)
  }
})

test('typed data is not hashed for an account that the node does not have', async () => {
  const unhashable = { ...named(31337), primaryType: 'Nothing' }
  await expect(node.requestLoosely('eth_signTypedData_v4', [STRANGER, unhashable])).rejects.toMatchObject({
    error: { code: -32000, message: 'unknown account' },
  })
})

const items = (count: number, nameLength: number) => ({
  domain: {},
  types: {
    EIP712Domain: [],
    Item: [{ name: 'a'.repeat(nameLength), type: 'uint8' }],
    List: [{ name: 'items', type: 'Item[]' }],
  },
  primaryType: 'List',
  message: { items: Array.from({ length: count }, () => ({ ['a'.repeat(nameLength)]: 1 })) },
})

test.each([
  ['types of two million characters', items(1, 2_000_000), /types of \d+ characters, the limit is 65536/],
  ['many items of a long type', items(400, 60_000), /texts of \d+ characters, the limit is 1048576/],
  [
    'a hundred thousand values',
    { ...items(0, 1), message: { items: Array.from({ length: 100_000 }, () => 1) } },
    /values, the limit is 10000/,
  ],
  [
    'items whose types take long to hash',
    { ...items(0, 60_000), message: { items: Array.from({ length: 1_000 }, () => ({})) } },
    /a product of/,
  ],
  ['text that is nested too deep', '['.repeat(100_000), /more than 256 levels/],
] as const)('typed data with %s is refused at once with a clear message', async (_, data, words) => {
  const error = await node.requestLoosely('eth_signTypedData_v4', [account.address, data]).catch((e: unknown) => e)
  expect(error).toMatchObject({ error: { code: -32602 } })
  expect((error as Error).message).toMatch(words)
})

test('typed data at the edge of its limits is signed within two seconds of processor time', async () => {
  const edge = items(400, 2_000)
  const before = process.cpuUsage()
  await expect(node.requestLoosely('eth_signTypedData_v4', [account.address, edge])).resolves.toMatch(/^0x/)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1e6).toBeLessThan(2)
})
