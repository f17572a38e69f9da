import fc from 'fast-check'
import {
  type Abi,
  concatHex,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  erc721Abi,
  keccak256,
  multicall3Abi,
  parseAbi,
  stringToHex,
} from 'viem'
import { expect, test } from 'vitest'
import { type Address, type Hash, type Hex, toWord } from '#primitives/hex.ts'
import { decodeCall, decodeResult } from './decode-call.ts'
import { decodeLog } from './decode-log.ts'
import { decodeRevert } from './decode-revert.ts'
import type { ShownValue } from './decoded.ts'
import { encodeCallOf, encodeValues } from './encode-values.ts'
import type { Contracts } from './knowledge.ts'
import type { KnownContract } from './known-contracts.ts'
import { decodedText } from './value-text.ts'

const NOTHING: Contracts = new Map()
const TOKEN: Address = `0x${'70'.repeat(20)}`
const ALICE: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB: Address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const MULTICALL3: Address = '0xca11bde05977b3631167028862be2a173976ca11'
const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

const knowing = (abi: Abi, address = TOKEN): Contracts => new Map([[address, { name: 'Auction', abi }]])
const valuesOf = (decoded: { readonly args: readonly { readonly value: ShownValue }[] } | undefined) =>
  decoded?.args.map(({ value }) => value)

const ACTION = {
  type: 'tuple',
  name: 'action',
  internalType: 'struct Shop.Action',
  components: [
    { type: 'uint256', name: 'id' },
    { type: 'function', name: 'then', internalType: 'function (uint256) external' },
    { type: 'uint8[]', name: 'states', internalType: 'enum Shop.State[]', enumNames: ['open', 'closed'] },
  ],
} as const

test('functions, values of enums and structs are told by what they are in the source', () => {
  const abi = [
    { type: 'event', name: 'Logged', inputs: [{ ...ACTION, indexed: false }] },
    { type: 'function', name: 'f', inputs: [ACTION], outputs: [ACTION], stateMutability: 'view' },
  ] as unknown as Abi
  const values = [[3n, `${BOB}12345678`, [1n, 0n, 7n]]]
  const data = encodeValues([ACTION], values)
  const signature = 'Logged((uint256,function,uint8[]))'
  const told = {
    name: 'action',
    type: 'Action',
    value: {
      kind: 'tuple',
      members: [
        { name: 'id', type: 'uint256', value: { kind: 'integer', integer: 3n } },
        { name: 'then', type: 'function', value: { kind: 'function', address: BOB, selector: '0x12345678' } },
        {
          name: 'states',
          type: 'State[]',
          value: {
            kind: 'list',
            items: [
              { kind: 'integer', integer: 1n, name: 'closed' },
              { kind: 'integer', integer: 0n, name: 'open' },
              { kind: 'integer', integer: 7n },
            ],
          },
        },
      ],
    },
  }
  const log = { address: TOKEN, topics: [keccak256(stringToHex(signature))], data }
  expect(decodeLog(knowing(abi), log)).toMatchObject({ signature, args: [told] })
  const input = encodeCallOf({ name: 'f', inputs: [ACTION] }, values)
  expect(input.slice(0, 10)).toBe(keccak256(stringToHex('f((uint256,function,uint8[]))')).slice(0, 10))
  expect(decodeCall(knowing(abi), TOKEN, input)).toMatchObject({ exact: true, args: [told] })
  expect(decodeResult(knowing(abi), TOKEN, input, data)).toEqual([told])
  expect(decodedText({ name: 'f', args: decodeCall(knowing(abi), TOKEN, input)?.args ?? [] })).toBe(
    'f(action: (3, 0x7099…79c8.0x12345678, [closed, open, 7]))',
  )
})

test('a call of a known contract is decoded by its ABI, with names, arrays and tuples', () => {
  const abi = parseAbi([
    'struct Bid { address bidder; uint96 amount; string note; }',
    'function place(Bid[] bids, int24 tick, bool last)',
  ])
  const input = encodeFunctionData({
    abi,
    functionName: 'place',
    args: [[{ bidder: ALICE, amount: 5n, note: '<b>hi</b>' }], -3, true],
  })
  const call = decodeCall(knowing(abi), TOKEN, input)
  expect(call).toMatchObject({
    name: 'place',
    signature: 'place((address,uint96,string)[],int24,bool)',
    source: { kind: 'contract', name: 'Auction' },
    exact: true,
  })
  expect(call?.args.map(({ name, type }) => [name, type])).toEqual([
    ['bids', 'struct[]'],
    ['tick', 'int24'],
    ['last', 'bool'],
  ])
  expect(valuesOf(call)).toEqual([
    {
      kind: 'list',
      items: [
        {
          kind: 'tuple',
          members: [
            { name: 'bidder', type: 'address', value: { kind: 'address', address: ALICE } },
            { name: 'amount', type: 'uint96', value: { kind: 'integer', integer: 5n } },
            { name: 'note', type: 'string', value: { kind: 'text', text: '<b>hi</b>' } },
          ],
        },
      ],
    },
    { kind: 'integer', integer: -3n },
    { kind: 'boolean', boolean: true },
  ])
})

test('a call of an unknown contract is guessed by the standards, and marked as a guess', () => {
  const input = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [BOB, 7n] })
  expect(decodeCall(NOTHING, TOKEN, input)).toMatchObject({
    name: 'transfer',
    source: { kind: 'standard', name: 'ERC-20' },
  })
  const shared = encodeFunctionData({ abi: erc721Abi, functionName: 'approve', args: [BOB, 7n] })
  expect(decodeCall(NOTHING, TOKEN, shared)?.source.name).toBe('ERC-20 or ERC-721')
})

test('a guess has to explain every byte; a given ABI does not', () => {
  const input = concatHex([encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [BOB, 7n] }), '0xbeef'])
  expect(decodeCall(NOTHING, TOKEN, input)).toBeUndefined()
  expect(decodeCall(knowing(erc20Abi), TOKEN, input)).toMatchObject({ name: 'transfer', exact: false })
})

test('well-known contracts are named as such, and a deployer’s call data is a salt and code', () => {
  const wellKnown = { about: undefined, isDeployer: false }
  const contracts: Contracts = new Map<Address, KnownContract>([
    [MULTICALL3, { name: 'Multicall3', abi: multicall3Abi, wellKnown }],
    [CREATE2_DEPLOYER, { name: 'CREATE2 deployer', abi: [], wellKnown: { ...wellKnown, isDeployer: true } }],
  ])
  const input = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [[{ target: TOKEN, allowFailure: true, callData: '0x1234' }]],
  })
  expect(decodeCall(NOTHING, MULTICALL3, input)).toBeUndefined()
  expect(decodeCall(contracts, MULTICALL3, input)).toMatchObject({
    name: 'aggregate3',
    source: { kind: 'well-known', name: 'Multicall3' },
  })
  expect(valuesOf(decodeCall(contracts, CREATE2_DEPLOYER, concatHex([toWord(1), '0x6000'])))).toEqual([
    { kind: 'bytes', bytes: toWord(1) },
    { kind: 'bytes', bytes: '0x6000' },
  ])
})

test('a result is decoded by its function', () => {
  const input = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [ALICE] })
  const output = encodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', result: 9n })
  expect(decodeResult(NOTHING, TOKEN, input, output)).toEqual([
    { name: '', type: 'uint256', value: { kind: 'integer', integer: 9n } },
  ])
  expect(decodeResult(NOTHING, TOKEN, input, '0x')).toBeUndefined()
})

test('transfers of ERC-20 and ERC-721 differ in their indexed arguments', () => {
  const topics = [toWord(0), toWord(BigInt(ALICE)), toWord(BigInt(BOB))]
  topics[0] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' })[0]
  const fungible = decodeLog(NOTHING, { address: TOKEN, topics, data: toWord(5) })
  expect(fungible?.source.name).toBe('ERC-20')
  expect(fungible?.args.map(({ name }) => name)).toEqual(['from', 'to', 'amount'])
  const unique = decodeLog(NOTHING, { address: TOKEN, topics: [...topics, toWord(5)], data: '0x' })
  expect(unique?.source.name).toBe('ERC-721')
  expect(valuesOf(unique)?.at(-1)).toEqual({ kind: 'integer', integer: 5n })
})

test('an indexed text is only known by its hash', () => {
  const abi = parseAbi(['event Named(uint256 id, string indexed name)'])
  const topics = encodeEventTopics({ abi, eventName: 'Named', args: { name: 'x' } }) as Hash[]
  expect(valuesOf(decodeLog(knowing(abi), { address: TOKEN, topics, data: toWord(1) }))).toEqual([
    { kind: 'integer', integer: 1n },
    { kind: 'hashed', hash: topics[1] },
  ])
})

test('reverts are decoded as text, as panics, as errors of the contract or of contracts that it called', () => {
  const abi = parseAbi(['error TooLow(uint256 highest)'])
  const custom = encodeErrorResult({ abi, errorName: 'TooLow', args: [3n] })
  const text = concatHex(['0x08c379a0', encodeAbiParameters([{ type: 'string' }], ['no'])])
  expect(decodeRevert(NOTHING, [TOKEN], '0x')).toEqual({ kind: 'silent' })
  expect(decodeRevert(NOTHING, [TOKEN], text)).toEqual({ kind: 'text', text: 'no' })
  expect(decodeRevert(NOTHING, [TOKEN], concatHex(['0x4e487b71', toWord(0x12)]))).toMatchObject({
    kind: 'panic',
    code: 0x12n,
    meaning: 'a division by zero',
  })
  expect(decodeRevert(knowing(abi), [TOKEN], custom)).toMatchObject({ kind: 'custom', name: 'TooLow' })
  expect(decodeRevert(knowing(abi), [ALICE, TOKEN], custom)).toMatchObject({ kind: 'custom', name: 'TooLow' })
  expect(decodeRevert(NOTHING, [TOKEN], custom)).toEqual({ kind: 'unknown', data: custom })
})

const bytes = fc.uint8Array({ maxLength: 200 }).map((array): Hex => `0x${Buffer.from(array).toString('hex')}`)
const selectors = fc.constantFrom<Hex>(
  '0xa9059cbb',
  '0x82ad56cb',
  '0x252dba42',
  '0x2b67b570',
  '0x08c379a0',
  '0x4e487b71',
)

test('decoding ends with a result, whatever the bytes', () => {
  fc.assert(
    fc.property(selectors, bytes, fc.constantFrom(TOKEN, MULTICALL3, null), (selector, rest, to) => {
      const input = concatHex([selector, rest])
      const call = decodeCall(NOTHING, to, input)
      if (call?.source.kind === 'standard') expect(call.exact).toBe(true)
      expect(decodeRevert(NOTHING, [to], input).kind).not.toBe('silent')
    }),
  )
})

test('encoded values are decoded again, and reported as exact', () => {
  const abi = parseAbi(['function f(uint256 a, bytes b, string c, address[] d, (int8 e, bytes4 f)[2] g)'])
  const address = fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }).map((n): Hex => `0x${n.toString(16).padStart(40, '0')}`)
  const pair = fc.record({
    e: fc.integer({ min: -128, max: 127 }),
    f: fc.constantFrom<Hex>('0x00000000', '0xffffffff'),
  })
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      bytes,
      fc.string(),
      fc.array(address, { maxLength: 4 }),
      fc.tuple(pair, pair),
      (a, b, c, d, g) => {
        const input = encodeFunctionData({ abi, functionName: 'f', args: [a, b, c, d, g] })
        const call = decodeCall(knowing(abi), TOKEN, input)
        expect(call?.exact).toBe(true)
        expect(valuesOf(call)).toEqual([
          { kind: 'integer', integer: a },
          { kind: 'bytes', bytes: b },
          { kind: 'text', text: c },
          { kind: 'list', items: d.map((each) => ({ kind: 'address', address: each })) },
          {
            kind: 'list',
            items: g.map(({ e, f }) => ({
              kind: 'tuple',
              members: [
                { name: 'e', type: 'int8', value: { kind: 'integer', integer: BigInt(e) } },
                { name: 'f', type: 'bytes4', value: { kind: 'bytes', bytes: f } },
              ],
            })),
          },
        ])
      },
    ),
  )
})
