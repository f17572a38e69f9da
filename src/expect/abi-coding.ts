import { type Abi, decodeErrorResult, decodeEventLog, encodeEventTopics } from 'viem'
import type { Hex } from '#primitives/hex.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import type { AbiItemLike, AbiLike } from './abi-types.ts'
import { isWantedValue, showValue } from './same-value.ts'

/** A log or a revert in the words of an ABI. */
export interface DecodedItem {
  readonly name: string
  /** By their names, or in their order if one has none. */
  readonly args: unknown
  readonly item: AbiItemLike
}

/** Solidity's own errors, which no ABI lists. */
const BUILT_IN: AbiLike = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'code', type: 'uint256' }] },
]

/**
 * The entries with a name: several if it is overloaded.
 *
 * @throws {TypeError} If there is none; the message has the names that there are.
 */
export function itemsNamed(abi: AbiLike, kind: AbiItemLike['type'], name: string): readonly AbiItemLike[] {
  if (!Array.isArray(abi)) throw new TypeError('abi is a list of entries, as compilers write it')
  const all = (abi as AbiLike).filter((item) => item.type === kind)
  const found = all.filter((item) => item.name === name)
  if (found.length > 0) return found
  const names = all.map((item) => item.name).join(', ') || 'none'
  throw new TypeError(`the abi has no ${kind} ${JSON.stringify(name)}; it has ${names}`)
}

/** A log as one of the ABI's events; `undefined` if it is none of them. */
export function decodeLog(abi: AbiLike, log: Pick<RpcLog, 'data' | 'topics'>): DecodedItem | undefined {
  for (const item of abi) {
    if (item.type !== 'event' || item.name === undefined || topicOf(item) !== log.topics[0]) continue
    try {
      const { args } = decodeEventLog({
        abi: [item] as unknown as Abi,
        data: log.data,
        topics: log.topics as [Hex, ...Hex[]],
      })
      return { name: item.name, args: args ?? [], item }
    } catch {
      // The signature is the event's, and what is indexed is not: another contract's.
    }
  }
  return undefined
}

function topicOf(item: AbiItemLike): Hex | undefined {
  return encodeEventTopics({ abi: [item] as unknown as Abi, eventName: item.name ?? '' })[0] as Hex | undefined
}

/** What a revert returned as one of the ABI's errors, or of Solidity's own; `undefined` if it is none of them. */
export function decodeRevert(abi: AbiLike, data: Hex): DecodedItem | undefined {
  const all = [...abi.filter(({ type }) => type === 'error'), ...BUILT_IN]
  try {
    const { abiItem, args = [], errorName } = decodeErrorResult({ abi: all as unknown as Abi, data })
    const item = abiItem as AbiItemLike
    return { name: errorName, args: byName(item, args), item }
  } catch {
    // Not of this ABI, or cut short: the message shows the bytes.
    return undefined
  }
}

function byName({ inputs = [] }: AbiItemLike, args: readonly unknown[]): unknown {
  if (inputs.some(({ name }) => name === undefined || name === '')) return args
  return Object.fromEntries(inputs.map(({ name }, i) => [name, args[i]]))
}

/** Whether arguments are those that a test wants: some by their names, or all in their order. */
export function hasArguments({ args, item }: DecodedItem, wanted: unknown): boolean {
  if (!Array.isArray(wanted) || Array.isArray(args)) return isWantedValue(args, wanted)
  const { inputs = [] } = item
  const inOrder = inputs.map(({ name }) => (args as Readonly<Record<string, unknown>>)[name ?? ''])
  return isWantedValue(inOrder, wanted)
}

/** An event or an error as a failure shows it: `Transfer { from: 0x…, value: 5 }`. */
export function showDecoded({ name, args }: Pick<DecodedItem, 'name' | 'args'>): string {
  return `${name} ${showValue(args)}`
}
