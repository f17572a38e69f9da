import {
  type Abi,
  encodeAbiParameters,
  parseAbiItem,
  parseAbiParameters,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { expect, test } from 'vitest'
import { type Address, type Hex, toWord } from '#primitives/hex.ts'
import { decodeCall, decodeResult } from './decode-call.ts'
import { decodeLog } from './decode-log.ts'
import { decodeRevert } from './decode-revert.ts'
import type { Contracts } from './knowledge.ts'
import { createSelectorTable, INTERFACES } from './selector-table.ts'

type AbiItem = Abi[number]

const SOMEBODY: Address = `0x${'70'.repeat(20)}`
const table = createSelectorTable()
const contracts: Contracts = { get: () => undefined, bySelector: table.find }

/** As the chains have them: in transactions, logs and reverts of these contracts. */
const ON_CHAIN: Readonly<Record<string, Hex>> = {
  'permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)': '0x9fd5a6cf',
  transferWithAuthorization: '0xe3ee160e',
  receiveWithAuthorization: '0xef55bec6',
  convertToAssets: '0x07a2d13a',
  previewRedeem: '0x4cdad506',
  swapExactTokensForTokens: '0x38ed1739',
  swapExactETHForTokens: '0x7ff36ab5',
  getReserves: '0x0902f1ac',
  exactInputSingle: '0x414bf389',
  exactInput: '0xc04b8d59',
  multicall: '0xac9650d8',
  slot0: '0x3850c7bd',
  unlock: '0x48c89491',
  modifyLiquidities: '0xdd46508f',
  execTransaction: '0x6a761202',
  multiSend: '0x8d80ff0a',
  createProxyWithNonce: '0x1688f0b9',
  upgradeTo: '0x3659cfe6',
  upgradeToAndCall: '0x4f1ef286',
  aggregate3: '0x82ad56cb',
  tryAggregate: '0xbce38bd7',
  supply: '0x617ba037',
  borrow: '0xa415bcad',
  repay: '0x573ade81',
  flashLoanSimple: '0x42b0b77c',
  getUserAccountData: '0xbf92857c',
  batchSwap: '0x945bcec9',
  joinPool: '0xb95cac28',
  exitPool: '0x8bdb3913',
  transformERC20: '0x415565b0',
  settle: '0x13d79a0b',
  setPreSignature: '0xec6cb13f',
  fulfillBasicOrder: '0xfb0f3ee1',
  latestRoundData: '0xfeaf968c',
  latestAnswer: '0x50d25bcd',
  transmit: '0xb1dc65a4',
  addr: '0x3b3b57de',
  resolve: '0x9061b923',
  setL1BlockValuesEcotone: '0x440a5e20',
  setL1BlockValuesIsthmus: '0x098999be',
  relayMessage: '0xd764ad0b',
  sendMessage: '0x3dbb202b',
  initiateWithdrawal: '0xc2b3e5ac',
  depositTransaction: '0xe9e05c42',
  finalizeWithdrawalTransaction: '0x8c3152e9',
  startBlock: '0x6bf6a42d',
  withdrawEth: '0x25e16063',
  createRetryableTicket: '0x679b6ded',
  finalizeInboundTransfer: '0x2e567b36',
  castVote: '0x56781388',
  delegate: '0x5c19a95c',
  getVotes: '0x9ab24eb0',
  unoswapTo: '0xe2c95c82',
  uniswapV3Swap: '0xe449022e',
  getPoolTokens: '0xf94d4668',
}

const nameOf = (item: AbiItem | undefined) => (item && 'name' in item ? item.name : undefined)

test('every line of the table is read by viem, with the selector under which it is found', () => {
  let lines = 0
  for (const text of INTERFACES.flatMap((interfaces) => Object.values(interfaces))) {
    for (const line of text.trim().split('\n')) {
      lines++
      const trimmed = line.trim()
      const isFunction = !/^(event|error) /.test(trimmed)
      const item = parseAbiItem(isFunction ? `function ${trimmed}` : trimmed)
      const key =
        item.type === 'event' ? toEventSelector(item) : toFunctionSelector({ ...item, type: 'function' } as never)
      expect(
        table.find(key).flatMap(({ abi }) => abi),
        trimmed,
      ).toContainEqual(item)
    }
  }
  expect(lines).toBeGreaterThan(400)
})

test('functions have the selectors that the chains have', () => {
  const found = Object.entries(ON_CHAIN).map(([name, selector]) => [name, nameOf(table.find(selector)[0]?.abi[0])])
  expect(found).toEqual(Object.keys(ON_CHAIN).map((name) => [name, name.replace(/\(.*/, '')]))
})

/** First topics of logs. */
const TOPICS: Readonly<Record<string, Hex>> = {
  'Swap(address,uint256,uint256,uint256,uint256,address)':
    '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
  'Sync(uint112,uint112)': '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1',
  'Swap(address,address,int256,int256,uint160,uint128,int24)':
    '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
  'Deposit(address,uint256)': '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  'Withdrawal(address,uint256)': '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
  'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)':
    '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f',
}

test('events have the topics that the chains have', () => {
  const found = Object.values(TOPICS).map((topic) => table.find(topic)[0]?.abi[0])
  expect(found.map((item) => [item?.type, nameOf(item)])).toEqual(
    Object.keys(TOPICS).map((signature) => ['event', signature.replace(/\(.*/, '')]),
  )
})

test('a call that no ABI explains is decoded by its selector, with its structs and its result, and marked as a guess', () => {
  const args = encodeAbiParameters(
    parseAbiParameters('(address, address, uint24, address, uint256, uint256, uint256, uint160)'),
    [[SOMEBODY, SOMEBODY, 500, SOMEBODY, 1n, 2n, 3n, 4n]],
  )
  const call = decodeCall(contracts, SOMEBODY, `0x414bf389${args.slice(2)}`)
  expect(call).toMatchObject({ name: 'exactInputSingle', source: { kind: 'standard', name: 'Uniswap V3' } })
  const [params] = call?.args ?? []
  expect(params?.value).toMatchObject({
    kind: 'tuple',
    members: [{ name: 'tokenIn' }, {}, { name: 'fee' }, {}, {}, {}, {}, {}],
  })
  expect(decodeResult(contracts, SOMEBODY, `0x414bf389${args.slice(2)}`, toWord(9n))).toMatchObject([
    { name: 'amountOut', value: { integer: 9n } },
  ])
  // A selector alone proves nothing: bytes that do not fit are not explained.
  expect(decodeCall(contracts, SOMEBODY, `0x414bf389${args.slice(2)}00`)).toBeUndefined()
  expect(decodeCall({ get: () => undefined }, SOMEBODY, `0x414bf389${args.slice(2)}`)).toBeUndefined()
})

test('of functions with the same selector, that whose results fit to the last byte explains them', () => {
  const input =
    `0x9061b923${encodeAbiParameters(parseAbiParameters('bytes, bytes'), ['0x00', '0x01']).slice(2)}` as const
  const both = encodeAbiParameters(parseAbiParameters('bytes, address'), ['0x2a', SOMEBODY])
  expect(decodeResult(contracts, SOMEBODY, input, both)).toMatchObject([{ name: 'result' }, { name: 'resolver' }])
  // Without that, its length would be told as an address.
  const alone = encodeAbiParameters(parseAbiParameters('bytes'), ['0x2a'])
  expect(decodeResult(contracts, SOMEBODY, input, alone)).toMatchObject([{ name: 'result' }])
  expect(decodeResult(contracts, SOMEBODY, input, `${alone}00`)).toBeUndefined()
})

test('of events with the same topic, that with as many indexed arguments as the log is taken', () => {
  const topic = toEventSelector('ExecutionSuccess(bytes32,uint256)')
  const log = { address: SOMEBODY, topics: [topic], data: `${toWord(5n)}${toWord(6n).slice(2)}` as Hex }
  expect(decodeLog(contracts, log)).toMatchObject({ name: 'ExecutionSuccess', source: { name: 'Safe' } })
  const indexed = { address: SOMEBODY, topics: [topic, toWord(5n)], data: toWord(6n) }
  expect(decodeLog(contracts, indexed)?.args).toMatchObject([{ name: 'txHash' }, { name: 'payment' }])
})

test('an error that no ABI has is decoded by its selector, after those that the standards have', () => {
  const data: Hex = `0x8baa579f`
  expect(decodeRevert(contracts, [SOMEBODY], data)).toMatchObject({ kind: 'unknown' })
  const failed = encodeAbiParameters(parseAbiParameters('uint256, string'), [0n, 'AA21 didn’t pay prefund'])
  expect(decodeRevert(contracts, [null, SOMEBODY], `0x220266b6${failed.slice(2)}`)).toMatchObject({
    kind: 'custom',
    name: 'FailedOp',
    source: { name: 'ERC-4337' },
  })
})

test('the table is asked only for what nothing else explains', () => {
  const asked: Hex[] = []
  const watched: Contracts = {
    get: () => undefined,
    bySelector(key) {
      asked.push(key)
      return []
    },
  }
  decodeCall(watched, SOMEBODY, `0xa9059cbb${toWord(1n).slice(2)}${toWord(2n).slice(2)}`)
  expect(asked).toEqual([])
  decodeCall(watched, SOMEBODY, '0x12345678')
  expect(asked).toEqual(['0x12345678'])
})
