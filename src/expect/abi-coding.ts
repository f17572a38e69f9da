import { type Abi, decodeErrorResult, decodeEventLog, encodeEventTopics, keccak256, stringToHex } from 'viem'
import type { Hash, Hex } from '#primitives/hex.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import type { AbiItemLike, AbiLike, AbiParameterLike } from './abi-types.ts'
import { isAsymmetric, isObject, isWantedValue, showValue } from './same-value.ts'

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

/**
 * Refuses a wish that nothing could fulfil: a matcher would never hold, and its contrary always.
 *
 * @param wanted - Arguments as {@link hasArguments} takes them.
 * @throws {TypeError} If the ABI has no such event or error, or it has no such arguments.
 */
export function checkWanted(abi: AbiLike, kind: 'event' | 'error', name: string, wanted: unknown): void {
  const builtIn = kind === 'error' ? BUILT_IN.filter((item) => item.name === name) : []
  const items = [...builtIn, ...(builtIn.length > 0 ? [] : itemsNamed(abi, kind, name))]
  if (items.every(({ anonymous }) => anonymous)) {
    throw new TypeError(`the event ${name} is anonymous: nothing in a log says that it is of this event`)
  }
  if (!isObject(wanted) || isAsymmetric(wanted)) return
  const fitting = items.find((item) => pairsOf(item, wanted) !== undefined)
  if (!fitting) {
    const known = items.map(({ inputs = [] }) => `(${inputs.map((input) => input.name || input.type).join(', ')})`)
    throw new TypeError(
      `the ${kind} ${name} has the arguments ${known.join(' or ')}, not those of ${showValue(wanted)}`,
    )
  }
  for (const [input, value] of pairsOf(fitting, wanted) ?? []) {
    if (!input.indexed || !/^tuple|\[/.test(input.type) || typeof value !== 'object' || isAsymmetric(value)) continue
    throw new TypeError(
      `${input.name || input.type} of the event ${name} is indexed: a log has its hash alone, give that`,
    )
  }
}

/** A log as one of the ABI's events; `undefined` if it is none of them. */
export function decodeLog(abi: AbiLike, log: Pick<RpcLog, 'data' | 'topics'>): DecodedItem | undefined {
  for (const item of abi) {
    if (item.type !== 'event' || item.name === undefined || item.anonymous || topicOf(item) !== log.topics[0]) continue
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

function topicOf(item: AbiItemLike): Hash | undefined {
  return encodeEventTopics({ abi: [item] as unknown as Abi, eventName: item.name ?? '' })[0] as Hash | undefined
}

/** The first topics of an ABI's events with a name: several if it is overloaded. */
export function topicsOf(abi: AbiLike, name: string): readonly Hash[] {
  return itemsNamed(abi, 'event', name)
    .filter(({ anonymous }) => !anonymous)
    .flatMap((item) => topicOf(item) ?? [])
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
  if (!isObject(wanted) || isAsymmetric(wanted)) return isWantedValue(args, wanted)
  const pairs = pairsOf(item, wanted)
  if (!pairs) return false
  const actual = Array.isArray(args)
    ? (args as readonly unknown[])
    : (pairsOf(item, args as object) ?? []).map(([, arg]) => arg)
  return pairs.every(([input, value], i) => isWantedValue(actual[i], value) || isHashed(input, actual[i], value))
}

type Pair = readonly [input: AbiParameterLike, value: unknown]

/** Each parameter with its value, by their names or in their order; `undefined` if it has no such parameters. */
function pairsOf({ inputs = [] }: AbiItemLike, values: object): readonly Pair[] | undefined {
  if (Array.isArray(values)) {
    return values.length === inputs.length ? inputs.map((input, i) => [input, values[i] as unknown]) : undefined
  }
  const byNames = values as Readonly<Record<string, unknown>>
  if (!Object.keys(byNames).every((name) => inputs.some((input) => input.name === name))) return undefined
  return inputs.map((input) => {
    const { name = '' } = input
    return [input, Object.hasOwn(byNames, name) ? byNames[name] : undefined]
  })
}

/** Whether a log has that text, or those bytes, as it has them if they are indexed: by their hash. */
function isHashed({ type, indexed }: AbiParameterLike, actual: unknown, wanted: unknown): boolean {
  if (!indexed || typeof wanted !== 'string') return false
  if (type === 'string') return actual === keccak256(stringToHex(wanted))
  return type === 'bytes' && /^0x([\da-f]{2})*$/i.test(wanted) && actual === keccak256(wanted as Hex)
}

/** An event or an error as a failure shows it: `Transfer { from: 0x…, value: 5 }`. */
export function showDecoded({ name, args }: Pick<DecodedItem, 'name' | 'args'>): string {
  return `${name} ${showValue(args)}`
}
