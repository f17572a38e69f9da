import { expect, test } from 'vitest'
import { createTestNode } from '#testing/node/test-node.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const HASH = `0x${'cd'.repeat(32)}`

async function answer(method: string, params: readonly unknown[]) {
  const { raw } = await createTestNode({ mode: 'manual' })
  return JSON.parse((await raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))) ?? '') as {
    result?: unknown
    error?: { code: number; message: string }
  }
}

test.each([
  ['eth_getBlockByNumber', [], 'missing value for required argument 0'],
  ['eth_getBlockByNumber', ['latest'], 'missing value for required argument 1'],
  ['eth_getBlockByNumber', ['latest', null], 'missing value for required argument 1'],
  ['eth_getBlockByNumber', ['latest', true, 1], 'too many arguments, want at most 2'],
  ['eth_getBlockByNumber', ['1', true], 'invalid argument 0: hex string without 0x prefix'],
  ['eth_getBlockByNumber', [-5, true], 'invalid argument 0: hex string without 0x prefix'],
  ['eth_getBlockByNumber', ['', true], 'invalid argument 0: empty hex string'],
  ['eth_getBlockByNumber', ['0x', true], 'invalid argument 0: hex string "0x"'],
  ['eth_getBlockByNumber', ['0x01', true], 'invalid argument 0: hex number with leading zero digits'],
  ['eth_getBlockByNumber', ['0xzz', true], 'invalid argument 0: invalid hex string'],
  ['eth_getBlockByNumber', [`0x1${'0'.repeat(16)}`, true], 'invalid argument 0: hex number > 64 bits'],
  ['eth_getBlockByNumber', [`0xf${'0'.repeat(15)}`, true], 'invalid argument 0: block number larger than int64'],
  ['eth_getBlockByNumber', ['Latest', true], 'invalid argument 0: hex string without 0x prefix'],
  [
    'eth_getBlockByNumber',
    ['latest', 'true'],
    'invalid argument 1: json: cannot unmarshal string into Go value of type bool',
  ],
  [
    'eth_getBlockByNumber',
    ['latest', 1],
    'invalid argument 1: json: cannot unmarshal number into Go value of type bool',
  ],
  ['eth_getBlockByHash', ['0x1234', true], 'invalid argument 0: hex string has length 4, want 64 for common.Hash'],
  ['eth_getBalance', ['0x1234'], 'invalid argument 0: hex string has length 4, want 40 for common.Address'],
  [
    'eth_getBalance',
    [ADDRESS.slice(2)],
    'invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type common.Address',
  ],
  ['eth_getBalance', [7], 'invalid argument 0: json: cannot unmarshal non-string into Go value of type common.Address'],
  [
    'eth_getBalance',
    [`0x${'gg'.repeat(20)}`],
    'invalid argument 0: json: cannot unmarshal invalid hex string into Go value of type common.Address',
  ],
  ['eth_getBalance', [ADDRESS, {}], 'invalid argument 1: neither block nor hash specified'],
  [
    'eth_getBalance',
    [ADDRESS, { blockHash: HASH, blockNumber: '0x0' }],
    'invalid argument 1: cannot specify both BlockHash and BlockNumber, choose one or the other',
  ],
  ['eth_getBalance', [ADDRESS, 1.5], 'invalid argument 1: json: cannot unmarshal number into Go value of type string'],
  [
    'eth_sendRawTransaction',
    ['1234'],
    'invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type hexutil.Bytes',
  ],
  [
    'eth_sendRawTransaction',
    ['0x123'],
    'invalid argument 0: json: cannot unmarshal hex string of odd length into Go value of type hexutil.Bytes',
  ],
  [
    'eth_call',
    [{ gas: '5' }],
    'invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go struct field TransactionArgs.gas of type hexutil.Uint64',
  ],
  [
    'eth_call',
    ['0x'],
    'invalid argument 0: json: cannot unmarshal string into Go value of type ethapi.TransactionArgs',
  ],
  [
    'eth_getStorageAt',
    [ADDRESS, `0x${'0'.repeat(65)}`],
    `storage key too long (want at most 32 bytes): "0x${'0'.repeat(65)}"`,
  ],
  ['eth_getStorageAt', [ADDRESS, 'xyz'], 'invalid hex in storage key: "xyz"'],
  ['eth_getProof', [ADDRESS, Array(1025).fill('0x0')], 'invalid argument 1: too many slots (max 1024)'],
  ['eth_feeHistory', ['x', 'latest'], 'invalid argument 0: invalid hex or decimal integer "x"'],
  ['devnet_tick', [0], 'invalid argument 0: 0 is not a whole number from 1 to 100000'],
  ['devnet_tick', ['0x186a1'], 'invalid argument 0: 100001 is not a whole number from 1 to 100000'],
  ['devnet_tick', [1.5], 'invalid argument 0: invalid hex or decimal integer "1.5"'],
  ['devnet_setSpeed', [0], 'invalid argument 0: 0 is not above 0 and at most 100'],
  ['devnet_setSpeed', [101], 'invalid argument 0: 101 is not above 0 and at most 100'],
  ['eth_subscribe', [], 'expected subscription name as first argument'],
  ['eth_subscribe', ['newHeads', true], 'too many arguments, want at most 1'],
  [
    'eth_subscribe',
    ['newPartialBlocks', 'all'],
    'invalid argument 1: unknown mode "all", want "diff", "block" or "flashblock"',
  ],
  ['eth_subscribe', ['newPartialBlockTransactions', { topics: [1] }], 'invalid argument 1: invalid topic(s)'],
  ['eth_subscribe', ['newPartialBlockTransactions', { address: 1 }], 'invalid argument 1: invalid addresses in query'],
])('%s %j: %s', async (method, params, message) => {
  expect((await answer(method, params)).error).toEqual({ code: -32602, message })
})

test('whatever the method, an error does not repeat a long argument', async () => {
  const { raw } = await createTestNode({ mode: 'manual' })
  const discovered = await raw('{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}')
  const { methods } = (JSON.parse(discovered ?? '') as { result: { methods: { name: string; params: unknown[] }[] } })
    .result
  expect(methods.length).toBeGreaterThan(200)
  const long = ['9'.repeat(20_000), `0x${'f'.repeat(20_001)}`, ['x'.repeat(20_000)], { ['x'.repeat(20_000)]: 1 }]
  const repeating: string[] = []
  for (const { name, params } of methods) {
    for (const argument of long) {
      for (const [i] of params.entries()) {
        const given = params.map((_, at) => (at === i ? argument : null))
        const said = (await raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: given }))) ?? ''
        if (said.includes('"error"') && said.length > 1_000) repeating.push(`${name}: ${said.slice(0, 120)}`)
      }
    }
  }
  expect(repeating).toEqual([])
})

test('an address may be in any case', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const dev = '0xF39FD6E51AAD88F6F4CE6AB8827279CFFFB92266'
  expect(await request('eth_getBalance', [dev])).toBe('0x21e19e0c9bab2400000')
})

test('null means an optional argument is left out', async () => {
  expect(await answer('eth_getBalance', [ADDRESS, null])).toHaveProperty('result', '0x0')
})

test.each([['latest'], ['0x0'], [{ blockNumber: '0x0' }], [{ blockNumber: 'earliest' }]])(
  'a state is found by %j',
  async (ref) => {
    expect(await answer('eth_getBalance', [ADDRESS, ref])).toHaveProperty('result', '0x0')
  },
)

test('a state is found by its block hash, as text and as an object', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const hash = (await request('eth_getBlockByNumber', ['0x0', false]))?.hash
  for (const ref of [hash, { blockHash: hash }, { blockHash: hash, requireCanonical: true }]) {
    expect(await request('eth_getBalance', [ADDRESS, ref])).toBe('0x0')
  }
})

test.each([['0x1'], [HASH], [{ blockHash: HASH }], [{ blockNumber: '0x7fffffffffffffff' }]])(
  'the state of an unknown block %j is an error',
  async (ref) => {
    expect((await answer('eth_getBalance', [ADDRESS, ref])).error).toEqual({
      code: -32000,
      // As in geth, which says how it looked for the block.
      message: JSON.stringify(ref).includes(HASH) ? 'header for hash not found' : 'header not found',
    })
  },
)

test('a block may be named by a JSON number, as in Hardhat', async () => {
  const { requestLoosely } = await createTestNode({ mode: 'manual' })
  expect(await requestLoosely('eth_getBlockByNumber', [0, false])).toMatchObject({ number: '0x0' })
  expect(await requestLoosely('eth_getBalance', [ADDRESS, 0])).toBe('0x0')
  await expect(requestLoosely('eth_getBalance', [ADDRESS, 1])).rejects.toThrow('header not found')
})
