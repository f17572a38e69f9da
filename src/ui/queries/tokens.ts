import { queryOptions } from '@tanstack/react-query'
import { decodeAbiParameters } from 'viem'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { isRefusal, unlessRefused } from '#client/session/provider.ts'
import { type Address, type Hash, type Hex, hexToBytes, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { readBloom } from './logs-bloom.ts'

/** `Transfer(address,address,uint256)` of ERC-20, whose amount is data, and of ERC-721, whose token is a topic. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** `TransferSingle(address,address,address,uint256,uint256)` of ERC-1155. */
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
/** `TransferBatch(address,address,address,uint256[],uint256[])` of ERC-1155. */
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

const SELECTORS = {
  balanceOf: '0x70a08231',
  balanceOfId: '0x00fdd58e',
  ownerOf: '0x6352211e',
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
} as const

/** Tokens whose balances are read; each takes two calls. */
export const MAX_ENTRIES = 60
/** Further tokens that are counted: anyone can send thousands with one log. */
export const MAX_UNREAD = 1_000
/** Longest data of a batch that is read, in characters: some 500 tokens. */
const MAX_BATCH_CHARACTERS = 66_000
/** Gas of a call: a contract that goes on for ever, or answers without end, stops here. */
const CALL_GAS = toQuantity(500_000)

/** ERC-20 tokens of a contract, or one token of an ERC-721 or ERC-1155. */
export interface TokenEntry {
  readonly standard: 'ERC-20' | 'ERC-721' | 'ERC-1155'
  readonly contract: Address
  /** `undefined` for ERC-20. */
  readonly id: bigint | undefined
}

/** A token and how much of it an address holds, as its contract says; `undefined` where it says nothing. */
export interface Holding extends TokenEntry {
  readonly sealed: bigint | undefined
  readonly pending: bigint | undefined
}

/** Tokens that an address holds, sealed or pending, those that it got last first. */
export interface Holdings {
  readonly held: readonly Holding[]
  /** Number of the oldest block that was searched: a later one than was asked for if there were too many logs. */
  readonly from: number
  /** Tokens that it got and whose balances were not read; there may be more than {@link MAX_UNREAD}. */
  readonly unread: number
}

/**
 * Tokens that an address got since a block, as the logs of transfers tell, and what it holds of them.
 *
 * @param from - Number of the oldest block.
 * @param version - Changes whenever to ask again.
 */
export const holdingsQuery = (
  provider: BlinknetProvider,
  address: Address,
  { from, hasPending, version }: { readonly from: number; readonly hasPending: boolean; readonly version: string },
) =>
  queryOptions({
    queryKey: ['token holdings', address, from, version],
    queryFn: () => findHoldings(provider, address, from, hasPending),
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
    gcTime: 5_000,
    // Holdings have bigints.
    structuralSharing: false,
  })

/** @param hasPending - Whether the chain tells logs of its pending block. */
export async function findHoldings(
  provider: BlinknetProvider,
  address: Address,
  from: number,
  hasPending: boolean,
): Promise<Holdings> {
  const to = hasPending ? 'pending' : 'latest'
  const [erc20Or721, erc1155] = await Promise.all([
    searchLogs(provider, [[TRANSFER], null, toWord(BigInt(address))], from, to),
    searchLogs(provider, [[TRANSFER_SINGLE, TRANSFER_BATCH], null, null, toWord(BigInt(address))], from, to),
  ])
  const entries = tokenEntries([...erc20Or721.logs, ...erc1155.logs])
  const read = entries.slice(0, MAX_ENTRIES)
  const holdings = await Promise.all(read.map((entry) => readHolding(provider, address, entry)))
  return {
    held: holdings.filter(({ sealed = 0n, pending = 0n }) => sealed > 0n || pending > 0n),
    from: Math.max(erc20Or721.from, erc1155.from),
    unread: entries.length - read.length,
  }
}

type Topics = readonly (Hash | readonly Hash[] | null)[]

/** Logs since a block; of those that are too many for one answer, the newer half, and so on. */
async function searchLogs(
  provider: BlinknetProvider,
  topics: Topics,
  from: number,
  to: 'pending' | 'latest',
): Promise<{ readonly logs: readonly RpcLog[]; readonly from: number }> {
  const head = Number(await provider.request({ method: 'eth_blockNumber' }))
  for (let oldest = Math.min(from, head); ; oldest += Math.ceil((head - oldest + 1) / 2)) {
    try {
      const query = { fromBlock: toQuantity(oldest), toBlock: to, topics }
      return { logs: await provider.request({ method: 'eth_getLogs', params: [query] }), from: oldest }
    } catch (error) {
      if (!isRefusal(error) || oldest >= head) throw error
    }
  }
}

/**
 * The tokens in logs of transfers, each once, the newest first, as many as are read or counted. What is not of a
 * standard's form is passed over.
 */
export function tokenEntries(logs: readonly RpcLog[]): readonly TokenEntry[] {
  const entries = new Map<string, TokenEntry>()
  const newestFirst = logs.toSorted(
    (a, b) => Number(b.blockNumber) - Number(a.blockNumber) || Number(b.logIndex) - Number(a.logIndex),
  )
  for (const log of newestFirst) {
    for (const entry of entriesOf(log)) {
      const key = `${entry.contract} ${entry.id}`
      if (!entries.has(key)) entries.set(key, entry)
      if (entries.size === MAX_ENTRIES + MAX_UNREAD) return [...entries.values()]
    }
  }
  return [...entries.values()]
}

function entriesOf({ address: contract, topics, data }: RpcLog): readonly TokenEntry[] {
  const [event, , , third] = topics
  if (event === TRANSFER) {
    if (third !== undefined) return [{ standard: 'ERC-721', contract, id: BigInt(third) }]
    return data.length === 66 ? [{ standard: 'ERC-20', contract, id: undefined }] : []
  }
  return idsOf(event, data).map((id) => ({ standard: 'ERC-1155', contract, id }))
}

function idsOf(event: Hash | undefined, data: Hex): readonly bigint[] {
  if (event === TRANSFER_SINGLE) return data.length === 130 ? [BigInt(data.slice(0, 66))] : []
  if (event !== TRANSFER_BATCH || data.length > MAX_BATCH_CHARACTERS) return []
  try {
    return decodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], data)[0]
  } catch {
    // Anyone can write such a log, with any data.
    return []
  }
}

async function readHolding(provider: BlinknetProvider, address: Address, entry: TokenEntry): Promise<Holding> {
  const [sealed, pending] = await Promise.all([
    readAmount(provider, address, entry, 'latest'),
    readAmount(provider, address, entry, 'pending'),
  ])
  return { ...entry, sealed, pending }
}

async function readAmount(
  provider: BlinknetProvider,
  address: Address,
  { standard, contract, id = 0n }: TokenEntry,
  block: 'latest' | 'pending',
): Promise<bigint | undefined> {
  const holder = toWord(BigInt(address)).slice(2)
  const token = toWord(id).slice(2)
  const ask = async (data: Hex) => numberIn(await callToken(provider, contract, data, block))
  switch (standard) {
    case 'ERC-20':
      return ask(`${SELECTORS.balanceOf}${holder}`)
    case 'ERC-1155':
      return ask(`${SELECTORS.balanceOfId}${holder}${token}`)
    case 'ERC-721': {
      const owner = await ask(`${SELECTORS.ownerOf}${token}`)
      return owner === BigInt(address) ? 1n : 0n
    }
  }
}

/** @returns `undefined` if the contract refuses, or is none. */
function callToken(
  provider: BlinknetProvider,
  contract: Address,
  input: Hex,
  block: 'latest' | 'pending',
): Promise<Hex | undefined> {
  return unlessRefused(
    provider.request({ method: 'eth_call', params: [{ to: contract, input, gas: CALL_GAS }, block] }),
  )
}

function numberIn(answer: Hex | undefined): bigint | undefined {
  return answer !== undefined && answer.length >= 66 ? BigInt(answer.slice(0, 66)) : undefined
}

/** What a token's contract says of itself, safe to show. */
export interface TokenWords {
  readonly name: string | undefined
  readonly symbol: string | undefined
  readonly decimals: number | undefined
}

/** Milliseconds after which a token's words are asked for again. */
const WORDS_MS = 60_000

/** @param chain - As `chainKeyOf` names it. */
export const tokenWordsQuery = (provider: BlinknetProvider, chain: string, contract: Address) =>
  queryOptions({
    queryKey: ['token words', chain, contract],
    queryFn: () => readTokenWords(provider, contract),
    staleTime: WORDS_MS,
  })

export async function readTokenWords(provider: BlinknetProvider, contract: Address): Promise<TokenWords> {
  const [name, symbol, decimals] = await Promise.all(
    [SELECTORS.name, SELECTORS.symbol, SELECTORS.decimals].map((input) =>
      callToken(provider, contract, input, 'pending'),
    ),
  )
  const count = numberIn(decimals)
  return {
    name: textIn(name),
    symbol: textIn(symbol),
    decimals: count !== undefined && count < 256n ? Number(count) : undefined,
  }
}

/** A `string`, or the `bytes32` of tokens from before there were strings. */
function textIn(answer: Hex | undefined): string | undefined {
  if (answer === undefined) return undefined
  const text = answer.length === 66 ? textOf(hexToBytes(answer)) : stringIn(answer)
  return text === undefined || text.trim() === '' ? undefined : othersText(text.trim(), LONGEST_NAME)
}

function stringIn(answer: Hex): string | undefined {
  try {
    return decodeAbiParameters([{ type: 'string' }], answer)[0]
  } catch {
    return undefined
  }
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end))
}

/** Filters for the logs of transfers from and to an address. */
function transfersOf(address: Address): readonly Topics[] {
  const word = toWord(BigInt(address))
  return [
    [[TRANSFER], word],
    [[TRANSFER], null, word],
    [[TRANSFER_SINGLE, TRANSFER_BATCH], null, word],
    [[TRANSFER_SINGLE, TRANSFER_BATCH], null, null, word],
  ]
}

/** Filters for which a block may have logs, by its bloom. */
function mayBeIn(bloom: Hex, filters: readonly Topics[]): readonly Topics[] {
  const mayHave = readBloom(bloom)
  return filters.filter((topics) => topics.every((any) => any === null || [any].flat().some(mayHave)))
}

/**
 * A key that changes with every transfer from or to an address in the pending block. Nothing is asked where the block's
 * bloom filter says that there is none.
 *
 * @param block - Its hash so far, which changes with every partial block that has transactions, and its bloom, if the chain
 *   has one that can be relied on.
 */
export const pendingTransfersQuery = (
  provider: BlinknetProvider,
  address: Address,
  { hash, logsBloom }: { readonly hash: Hash | undefined; readonly logsBloom: Hex | undefined },
) => {
  const all = transfersOf(address)
  const filters = logsBloom === undefined ? all : mayBeIn(logsBloom, all)
  return queryOptions({
    queryKey: ['pending transfers', address, filters.length === 0 ? 'none' : hash],
    queryFn: async () => {
      const found = await Promise.all(
        filters.map((topics) =>
          provider.request({ method: 'eth_getLogs', params: [{ fromBlock: 'pending', toBlock: 'pending', topics }] }),
        ),
      )
      return found.map((logs) => `${logs.length} ${logs.at(-1)?.transactionHash}`).join()
    },
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
    gcTime: 5_000,
  })
}
