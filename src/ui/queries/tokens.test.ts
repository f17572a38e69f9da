import { Bloom } from '@ethereumjs/vm'
import { QueryClient } from '@tanstack/react-query'
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  erc20Abi,
  erc721Abi,
  parseAbi,
  stringToHex,
  toFunctionSelector,
} from 'viem'
import { expect, test } from 'vitest'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { type Address, bytesToHex, type Hash, type Hex, hexToBytes, toQuantity } from '#primitives/hex.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { findHoldings, MAX_ENTRIES, MAX_UNREAD, pendingTransfersQuery, readTokenWords, tokenEntries } from './tokens.ts'

const ME: Address = `0x${'aa'.repeat(20)}`
const OTHER: Address = `0x${'bb'.repeat(20)}`
const COIN: Address = `0x${'01'.repeat(20)}`
const ART: Address = `0x${'02'.repeat(20)}`
const ITEMS: Address = `0x${'03'.repeat(20)}`
const ERC1155 = parseAbi([
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 amount)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] amounts)',
])
const UINT = { type: 'uint256' } as const
const UINTS = { type: 'uint256[]' } as const

let logs = 0
function log(address: Address, topics: readonly (Hex | readonly Hex[] | null)[], data: Hex): RpcLog {
  logs++
  const place = { blockNumber: toQuantity(logs), logIndex: '0x0', transactionHash: `0x${'ee'.repeat(32)}` }
  return { address, topics: topics as readonly Hash[], data, ...place } as unknown as RpcLog
}
const coinLog = (contract = COIN, to = ME) =>
  log(
    contract,
    encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from: OTHER, to } }),
    encodeAbiParameters([UINT], [5n]),
  )
const artLog = (tokenId: bigint) =>
  log(ART, encodeEventTopics({ abi: erc721Abi, eventName: 'Transfer', args: { from: OTHER, to: ME, tokenId } }), '0x')
const args = { operator: OTHER, from: OTHER, to: ME }
const itemLog = (id: bigint) =>
  log(
    ITEMS,
    encodeEventTopics({ abi: ERC1155, eventName: 'TransferSingle', args }),
    encodeAbiParameters([UINT, UINT], [id, 1n]),
  )
const batchLog = (data: Hex) => log(ITEMS, encodeEventTopics({ abi: ERC1155, eventName: 'TransferBatch', args }), data)

interface Call {
  readonly to: Address
  readonly input: Hex
  readonly gas: Hex
}

/** A chain with these logs, at block 100, whose contracts answer calls. */
function chain(all: readonly RpcLog[], answer: (call: Call, block: string) => Hex, longest = Number.POSITIVE_INFINITY) {
  const asked: { readonly fromBlock: Hex; readonly toBlock: string }[] = []
  const calls: Call[] = []
  const request = async ({ method, params }: { readonly method: string; readonly params: readonly never[] }) => {
    if (method === 'eth_blockNumber') return '0x64'
    if (method === 'eth_getLogs') {
      const [{ fromBlock, toBlock, topics }] = params as unknown as [
        { fromBlock: Hex; toBlock: string; topics: readonly (Hash | readonly Hash[] | null)[] },
      ]
      asked.push({ fromBlock, toBlock })
      if (100 - Number(fromBlock) > longest) throw new ProviderRpcError(-32602, 'query exceeds max results')
      const fits = (each: RpcLog) =>
        topics.every((topic, i) => topic === null || [topic].flat().includes(each.topics[i] as Hash))
      return all.filter(fits)
    }
    if (method === 'eth_call') {
      const [call, block] = params as unknown as [Call, string]
      calls.push(call)
      return answer(call, block)
    }
    throw new Error(`${method} was not expected`)
  }
  return { provider: { request } as unknown as BlinknetProvider, asked, calls }
}

const word = (value: bigint) => encodeAbiParameters([UINT], [value])
const refused = (): never => {
  throw new ProviderRpcError(3, 'execution reverted')
}

test('tokens of all three standards are found by what was sent, with sealed and pending balances', async () => {
  const { provider, calls } = chain(
    [coinLog(), coinLog(COIN, OTHER), artLog(7n), itemLog(9n)],
    ({ to, input }, block) => {
      const isPending = block === 'pending'
      if (to === COIN) return word(isPending ? 8n : 5n)
      if (to === ART) return isPending ? encodeAbiParameters([{ type: 'address' }], [ME]) : refused()
      expect(input).toBe(`0x00fdd58e${'0'.repeat(24)}${ME.slice(2)}${'0'.repeat(63)}9`)
      return word(3n)
    },
  )
  const { held, from, unread } = await findHoldings(provider, ME, 0, true)
  expect({ from, unread }).toEqual({ from: 0, unread: 0 })
  expect(held).toEqual([
    { standard: 'ERC-1155', contract: ITEMS, id: 9n, sealed: 3n, pending: 3n },
    { standard: 'ERC-721', contract: ART, id: 7n, sealed: 0n, pending: 1n },
    { standard: 'ERC-20', contract: COIN, id: undefined, sealed: 5n, pending: 8n },
  ])
  expect(calls.every(({ gas }) => BigInt(gas) <= 500_000n)).toBe(true)
})

test('what was sent on, and contracts that say nothing, are not held', async () => {
  const { provider } = chain([coinLog(), coinLog(ART), coinLog(ITEMS)], ({ to }) => {
    if (to === COIN) return word(0n)
    return to === ART ? refused() : '0x'
  })
  expect((await findHoldings(provider, ME, 0, true)).held).toEqual([])
})

test('of too many logs the newer half is searched, and that is told', async () => {
  const { provider, asked } = chain([coinLog()], () => word(1n), 30)
  expect(await findHoldings(provider, ME, 0, false)).toMatchObject({ from: 76, held: [{ contract: COIN }] })
  expect(asked.filter(({ fromBlock }) => fromBlock === '0x4c')).toHaveLength(2)
  expect(new Set(asked.map(({ toBlock }) => toBlock))).toEqual(new Set(['latest']))
  const never = chain([], () => '0x', -1)
  await expect(findHoldings(never.provider, ME, 0, false)).rejects.toThrow('query exceeds max results')
  expect(never.asked.length).toBeLessThan(20)
})

test('a node that has gone is an error, not an empty list', async () => {
  const { provider } = chain([coinLog()], () => {
    throw new ProviderRpcError(4900, 'disconnected')
  })
  await expect(findHoldings(provider, ME, 0, true)).rejects.toMatchObject({ code: 4900 })
})

test('only so many balances are read, of the tokens that came last', async () => {
  const many = Array.from({ length: MAX_ENTRIES + 5 }, (_, i) => artLog(BigInt(i)))
  const { provider, calls } = chain(many, () => encodeAbiParameters([{ type: 'address' }], [ME]))
  const { held, unread } = await findHoldings(provider, ME, 0, true)
  expect(held[0]?.id).toBe(BigInt(MAX_ENTRIES + 4))
  expect([held.length, unread, calls.length]).toEqual([MAX_ENTRIES, 5, 2 * MAX_ENTRIES])
})

test('tokens that nobody could count are not kept', () => {
  const batches = Array.from({ length: 10 }, (_, i) => {
    const ids = Array.from({ length: 200 }, (__, j) => BigInt(200 * i + j))
    return batchLog(encodeAbiParameters([UINTS, UINTS], [ids, ids]))
  })
  const entries = tokenEntries(batches)
  expect(entries).toHaveLength(MAX_ENTRIES + MAX_UNREAD)
  expect(entries[0]?.id).toBe(1_800n)
})

test('a batch has all of its tokens, each once, and logs of no standard’s form have none', () => {
  const batch = batchLog(
    encodeAbiParameters(
      [UINTS, UINTS],
      [
        [1n, 2n, 1n],
        [5n, 5n, 5n],
      ],
    ),
  )
  expect(tokenEntries([batch]).map(({ id }) => id)).toEqual([1n, 2n])
  const endless = `0x${'f'.repeat(64)}${'f'.repeat(64)}` as const
  const long = batchLog(encodeAbiParameters([UINTS, UINTS], [new Array<bigint>(2_000).fill(1n), []]))
  const [transfer, from, to] = coinLog().topics
  const short = log(COIN, [transfer ?? null, from ?? null, to ?? null], '0x')
  expect(tokenEntries([batchLog('0x'), batchLog(endless), long, short, log(COIN, [], '0x')])).toEqual([])
})

test('names are strings or bytes32, and what hides or reorders characters is spelt out', async () => {
  const answers = new Map<string, Hex>(
    [
      ['name()', encodeFunctionResult({ abi: erc20Abi, functionName: 'name', result: 'Gold\u202e' })],
      ['symbol()', stringToHex('MKR', { size: 32 })],
      ['decimals()', word(18n)],
    ].map(([signature, answer]) => [toFunctionSelector(signature as string), answer as Hex]),
  )
  const { provider } = chain([], ({ input }) => answers.get(input) ?? refused())
  expect(await readTokenWords(provider, COIN)).toEqual({ name: 'Gold\\u{202e}', symbol: 'MKR', decimals: 18 })
  const hostile = chain([], ({ input }) =>
    input === toFunctionSelector('decimals()') ? word(2n ** 200n) : `0x${'f'.repeat(128)}`,
  )
  expect(await readTokenWords(hostile.provider, COIN)).toEqual({
    name: undefined,
    symbol: undefined,
    decimals: undefined,
  })
  const long = chain([], () =>
    encodeFunctionResult({ abi: erc20Abi, functionName: 'name', result: 'x'.repeat(100_000) }),
  )
  expect((await readTokenWords(long.provider, COIN)).name).toHaveLength(101)
})

/** The bloom filter of a block with these logs. */
function bloomOf(all: readonly RpcLog[]): Hex {
  const bloom = new Bloom()
  for (const { address, topics } of all) for (const each of [address, ...topics]) bloom.add(hexToBytes(each))
  return bytesToHex(bloom.bitvector)
}

/** The key of the pending transfers of a block, and how many questions it took. */
async function pendingTransfers(all: readonly RpcLog[], { hasBloom = true } = {}) {
  const logsBloom = hasBloom ? bloomOf(all) : undefined
  const { provider, asked } = chain(all, () => '0x')
  const query = pendingTransfersQuery(provider, ME, { hash: `0x${'dd'.repeat(32)}`, logsBloom })
  return { key: await new QueryClient().fetchQuery(query), asked: asked.length }
}

test('nothing is asked of a pending block whose bloom has no transfer of the address, and nothing is missed', async () => {
  const others = Array.from({ length: 40 }, (_, i) => coinLog(COIN, `0x${String(i).padStart(40, '7')}`))
  const none = await pendingTransfers(others)
  expect(none.asked).toBe(0)
  expect(await pendingTransfers([])).toEqual(none)
  // One of each kind among many, from and to the address, as without a bloom.
  const fromMe = log(
    COIN,
    encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from: ME, to: OTHER } }),
    encodeAbiParameters([UINT], [5n]),
  )
  const itemFromMe = log(
    ITEMS,
    encodeEventTopics({ abi: ERC1155, eventName: 'TransferSingle', args: { ...args, from: ME, to: OTHER } }),
    encodeAbiParameters([UINT, UINT], [3n, 1n]),
  )
  for (const own of [coinLog(), artLog(4n), itemLog(2n), batchLog('0x'), fromMe, itemFromMe]) {
    const all = [...others, own]
    const [found, without] = [await pendingTransfers(all), await pendingTransfers(all, { hasBloom: false })]
    const [mine, every] = [found, without].map(({ key }) => key.split(',').filter((each) => !each.startsWith('0 ')))
    expect(mine).toEqual(every)
    expect(mine).toHaveLength(1)
    expect(found.asked).toBeGreaterThan(0)
    expect(without.asked).toBe(4)
  }
})

test('a second transfer changes the key, even if the bloom stays the same', async () => {
  const [first, second] = [coinLog(), coinLog()]
  expect(bloomOf([first])).toBe(bloomOf([first, second]))
  expect((await pendingTransfers([first])).key).not.toBe((await pendingTransfers([first, second])).key)
  const { provider } = chain([], () => '0x')
  const [one, other] = (['01', '02'] as const).map((byte) =>
    pendingTransfersQuery(provider, ME, { hash: `0x${byte.repeat(32)}`, logsBloom: bloomOf([first]) }),
  )
  expect(one?.queryKey).not.toEqual(other?.queryKey)
})
