import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { OPTION_RANGES, type OptionRange } from '#rpc-types/option-ranges.ts'

/**
 * Checks a value. Returns the path of the first problem, such as `transactions[0].hash`, or `undefined` if there is
 * none. The empty path means the value itself.
 */
type Shape = (value: unknown, path: string) => string | undefined

const matches =
  (pattern: RegExp): Shape =>
  (value, path) =>
    typeof value === 'string' && pattern.test(value) ? undefined : path
const quantity = matches(/^0x[\da-f]{1,64}$/i)
const hash = matches(/^0x[\da-f]{64}$/i)
const address = matches(/^0x[\da-f]{40}$/i)
const data = matches(/^0x(?:[\da-f]{2})*$/i)
const text: Shape = (value, path) => (typeof value === 'string' ? undefined : path)
const anything: Shape = () => undefined

/** A quantity that the page uses as a number. */
const quantityUpTo =
  (most: number): Shape =>
  (value, path) =>
    quantity(value, path) ?? (BigInt(value as string) <= BigInt(most) ? undefined : path)
const blockNumber = quantityUpTo(Number.MAX_SAFE_INTEGER)
/** The largest `Date`, in seconds. */
const timestamp = quantityUpTo(8_640_000_000_000)

const numberFrom =
  (least: number, most: number): Shape =>
  (value, path) =>
    typeof value === 'number' && value >= least && value <= most ? undefined : path
const wholeFrom =
  (least: number, most: number): Shape =>
  (value, path) =>
    Number.isInteger(value) ? numberFrom(least, most)(value, path) : path
const flag: Shape = (value, path) => (typeof value === 'boolean' ? undefined : path)
const milliseconds = numberFrom(-8.64e15, 8.64e15)
const count = wholeFrom(0, Number.MAX_SAFE_INTEGER)
/** A block never has more partial blocks than an option allows. */
const partialIndex = wholeFrom(0, OPTION_RANGES.partialsPerBlock.max)

const nullable =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? undefined : shape(value, path)
const optional =
  (shape: Shape): Shape =>
  (value, path) =>
    value === undefined || value === null ? undefined : shape(value, path)
const either =
  (one: Shape, other: Shape): Shape =>
  (value, path) =>
    one(value, path) === undefined ? undefined : other(value, path)

const listOf =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return path
    for (const [i, item] of value.entries()) {
      const wrong = shape(item, `${path}[${i}]`)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const recordOf =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!isRecord(value)) return path
    for (const [name, member] of Object.entries(value)) {
      const wrong = shape(member, `${path}[…]`)
      // The name is the chain's own text, and can be anything.
      if (wrong !== undefined || name === '__proto__') return wrong ?? path
    }
    return undefined
  }
const object =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value, path) => {
    if (!isRecord(value)) return path
    for (const [name, shape] of Object.entries(members)) {
      const own = Object.hasOwn(value, name) ? value[name] : undefined
      const wrong = shape(own, path === '' ? name : `${path}.${name}`)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }

const transaction = object({
  hash,
  from: address,
  to: optional(address),
  nonce: quantity,
  value: quantity,
  input: data,
  gas: optional(quantity),
  gasPrice: optional(quantity),
  maxFeePerGas: optional(quantity),
  maxPriorityFeePerGas: optional(quantity),
  type: optional(quantity),
  chainId: optional(quantity),
  blockHash: optional(hash),
  blockNumber: optional(blockNumber),
  transactionIndex: optional(blockNumber),
  blockTimestamp: optional(timestamp),
})

const log = object({
  address,
  topics: listOf(hash),
  data,
  blockHash: optional(hash),
  blockNumber: optional(blockNumber),
  blockTimestamp: optional(timestamp),
  transactionHash: optional(hash),
  transactionIndex: optional(blockNumber),
  logIndex: optional(blockNumber),
})

const receipt = object({
  transactionHash: hash,
  status: optional(quantity),
  type: optional(quantity),
  from: optional(address),
  to: optional(address),
  gasUsed: quantity,
  cumulativeGasUsed: quantity,
  effectiveGasPrice: optional(quantity),
  contractAddress: optional(address),
  blockHash: optional(hash),
  blockNumber: optional(blockNumber),
  transactionIndex: optional(blockNumber),
  logs: listOf(log),
})

const headerMembers = {
  number: blockNumber,
  hash,
  parentHash: optional(hash),
  timestamp,
  gasUsed: quantity,
  gasLimit: quantity,
  baseFeePerGas: optional(quantity),
  miner: optional(address),
  extraData: optional(data),
}
const block = object({ ...headerMembers, size: optional(quantity), transactions: listOf(either(hash, transaction)) })
/** Some chains give the pending block no hash, and some no number. */
const pendingBlock = object({
  ...headerMembers,
  number: optional(blockNumber),
  hash: optional(hash),
  transactions: listOf(either(hash, transaction)),
})

const partialBlock = object({
  index: partialIndex,
  payloadId: data,
  base: (value, path) =>
    value === undefined
      ? undefined
      : object({ number: blockNumber, gasLimit: quantity, baseFeePerGas: quantity, timestamp })(value, path),
  diff: object({ blockHash: hash, gasUsed: quantity, transactions: listOf(transaction), receipts: listOf(receipt) }),
  metadata: object({ blockNumber, transactionCount: count, cutAtMs: milliseconds, tookMs: milliseconds }),
})

const withdrawal = object({
  id: count,
  number: blockNumber,
  first: partialIndex,
  last: partialIndex,
  fate: matches(/^(?:requeue|lose)$/),
  count: optional(count),
  withdrawn: listOf(hash),
})

const clockMode = matches(/^(?:auto|manual)$/)
const optionNumbers = Object.entries(OPTION_RANGES).map(([name, range]: [string, OptionRange]) => {
  const { min, max, fractional } = range
  return [name, optional(fractional ? numberFrom(min, max) : wholeFrom(min, max))] as const
})

const status = object({
  clientVersion: text,
  chainId: quantity,
  seed: count,
  mode: clockMode,
  options: optional(object({ ...Object.fromEntries(optionNumbers), mode: optional(clockMode) })),
  paused: flag,
  automine: optional(flag),
  speed: numberFrom(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER),
  partialMs: numberFrom(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER),
  partialsPerBlock: wholeFrom(1, OPTION_RANGES.partialsPerBlock.max),
  chainTimeMs: milliseconds,
  head: object({ number: blockNumber, hash }),
  live: object({
    number: blockNumber,
    index: partialIndex,
    sealsAtMs: milliseconds,
    nextTickAtMs: milliseconds,
    transactionCount: count,
    transactionsByPartial: listOf(count),
    gasUsed: quantity,
    gasLimit: quantity,
  }),
  pool: object({ pending: count, queued: count }),
  faults: object({
    stalledTicks: count,
    sealDelayMs: milliseconds,
    failNext: listOf(object({ methods: listOf(text) })),
    withdrawal: optional(
      object({
        planned: nullable(matches(/^(?:requeue|lose)$/)),
        latest: nullable(withdrawal),
      }),
    ),
  }),
  accounts: listOf(address),
})

const timelineEvent = object({
  kind: matches(/^(?:received|preconfirmed|sealed|withdrawn|dropped|replaced)$/),
  atMs: milliseconds,
  blockNumber: optional(blockNumber),
  index: optional(partialIndex),
  reason: optional(text),
  blockHash: optional(hash),
  by: optional(hash),
})

const pooled = recordOf(recordOf(transaction))

/** Deepest nesting of calls in a trace (the EVM's own limit), and the most calls in one trace. */
const DEEPEST_CALL = 1_024
const MAX_CALLS = 100_000
const frame = object({
  type: matches(/^(?:CALL|CALLCODE|DELEGATECALL|STATICCALL|CREATE|CREATE2|SELFDESTRUCT)$/),
  from: address,
  to: optional(address),
  value: optional(quantity),
  gas: quantity,
  gasUsed: quantity,
  input: data,
  output: optional(data),
  error: optional(text),
  revertReason: optional(text),
  logs: optional(
    listOf(object({ address, topics: listOf(hash), data, index: optional(quantity), position: optional(quantity) })),
  ),
})

/** Checks a result of `callTracer`. */
function callTrace(value: unknown, path: string): string | undefined {
  const waiting = [{ call: value, at: path, depth: 0 }]
  for (let seen = 0, next = waiting.pop(); next; seen++, next = waiting.pop()) {
    const { call, at, depth } = next
    const wrong = seen >= MAX_CALLS || depth > DEEPEST_CALL ? 'calls' : frame(call, at)
    if (wrong !== undefined) return wrong
    const calls = isRecord(call) && Object.hasOwn(call, 'calls') ? (call['calls'] ?? []) : []
    const inside = at === '' ? 'calls' : `${at}.calls`
    if (!Array.isArray(calls)) return inside
    for (const [i, inner] of calls.entries())
      waiting.push({ call: inner, at: `${inside}[${i}]`.slice(-PARTS_OF_PATH), depth: depth + 1 })
  }
  return undefined
}

/** Deepest nesting of a JSON Schema, since code that reads it recurses as deep. */
const DEEPEST_SCHEMA = 64
function schema(value: unknown, path: string, depth = 0): string | undefined {
  if (depth > DEEPEST_SCHEMA) return path
  if (typeof value === 'boolean' && depth === 0) return undefined
  if (depth === 0 && !isRecord(value)) return path
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) {
    if (Object.hasOwn(value, '__proto__')) return path
    const { $ref, pattern } = value as { readonly $ref?: unknown; readonly pattern?: unknown }
    if ($ref !== undefined && typeof $ref !== 'string') return path
    if (typeof pattern === 'string' && !isPattern(pattern)) return path
  }
  for (const member of Object.values(value)) {
    const wrong = schema(member, path, depth + 1)
    if (wrong !== undefined) return wrong
  }
  return undefined
}
const content = object({
  name: text,
  schema: (value, path) => schema(value, path),
  required: optional(flag),
  description: optional(text),
})
const described = { name: text, summary: optional(text), description: optional(text), params: listOf(content) }

/** Longest pattern in characters; a node's own have at most about fifty. */
const LONGEST_PATTERN = 200

function isPattern(pattern: string): boolean {
  try {
    return pattern.length <= LONGEST_PATTERN && new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}

/** The references of the schemas that apply to the same value as this one. */
function alternatives(one: unknown): readonly string[] {
  if (!isRecord(one)) return []
  const { $ref, anyOf } = one
  const own = typeof $ref === 'string' ? [$ref] : []
  return Array.isArray(anyOf) ? [...own, ...anyOf.flatMap(alternatives)] : own
}

/**
 * Refuses schemas that refer back to themselves without descending into the value, since following them would never
 * end.
 */
function withoutCircles(value: unknown, path: string): string | undefined {
  const schemas = Object.entries(value as Readonly<Record<string, unknown>>)
  const edges = new Map(schemas.map(([name, one]) => [`#/components/schemas/${name}`, alternatives(one)]))
  const done = new Set<string>()
  const leadsBack = (name: string, way: ReadonlySet<string>): boolean => {
    if (way.has(name) || way.size > DEEPEST_SCHEMA) return true
    if (done.has(name)) return false
    const further = new Set([...way, name])
    const found = (edges.get(name) ?? []).some((next) => leadsBack(next, further))
    done.add(name)
    return found
  }
  return [...edges.keys()].some((name) => leadsBack(name, new Set())) ? path : undefined
}

/** The result of `rpc_discover`, from which the console is built. */
const openRpcDocument = object({
  openrpc: text,
  methods: listOf(object({ ...described, paramStructure: optional(text), result: content })),
  'x-subscriptions': optional(listOf(object({ ...described, payload: content }))),
  components: object({
    schemas: (value, path) => recordOf((one, where) => schema(one, where))(value, path) ?? withoutCircles(value, path),
  }),
})

/** Longest part of a path that is shown, in characters. */
const PARTS_OF_PATH = 80

/** The parts of a remote chain's answers that the page reads, by method. */
const ANSWERS: Readonly<Record<string, Shape>> = {
  chain_transactionStatus: object({ status: text }),
  base_transactionStatus: object({ status: text }),
  debug_traceCall: either(isObject, text),
  debug_traceTransaction: either(isObject, text),
  devnet_getTransactionTimeline: nullable(object({ hash, events: listOf(timelineEvent) })),
  devnet_status: status,
  devnet_withdrawNext: nullable(withdrawal),
  eth_accounts: listOf(address),
  eth_blockNumber: blockNumber,
  eth_call: data,
  eth_chainId: quantityUpTo(Number.MAX_SAFE_INTEGER),
  eth_estimateGas: quantity,
  eth_gasPrice: quantity,
  eth_getBalance: quantity,
  eth_getBlockByHash: nullable(block),
  eth_getBlockReceipts: nullable(listOf(receipt)),
  eth_getCode: data,
  eth_getLogs: listOf(log),
  eth_getRawTransactionByHash: nullable(data),
  eth_getStorageAt: data,
  eth_getTransactionByHash: nullable(transaction),
  eth_getTransactionCount: quantityUpTo(Number.MAX_SAFE_INTEGER),
  eth_getTransactionReceipt: nullable(receipt),
  eth_maxPriorityFeePerGas: quantity,
  eth_sendRawTransaction: hash,
  eth_subscribe: text,
  rpc_discover: openRpcDocument,
  txpool_content: object({ pending: pooled, queued: pooled }),
  txpool_contentFrom: object({ pending: recordOf(transaction), queued: recordOf(transaction) }),
  txpool_status: object({ pending: blockNumber, queued: blockNumber }),
  web3_clientVersion: text,
}

const TRACES: ReadonlySet<string> = new Set(['debug_traceCall', 'debug_traceTransaction'])

/** The page reads only this tracer's result; others are shown as they are. */
function isCallTracer(params: JsonRpcRequest['params'] = []): boolean {
  const config: unknown = params.at(-1)
  return isRecord(config) && config['tracer'] === 'callTracer'
}

function isObject(value: unknown, path: string): string | undefined {
  return isRecord(value) ? undefined : path
}

function answerShape({ method, params }: JsonRpcRequest): Shape {
  const [selector] = params ?? []
  if (method === 'eth_getBlockByNumber') return nullable(selector === 'pending' ? pendingBlock : block)
  if (TRACES.has(method) && isCallTracer(params)) return callTrace
  return Object.hasOwn(ANSWERS, method) ? (ANSWERS[method] ?? anything) : anything
}

/** Payloads of subscriptions, by the kind and the first parameter after it. */
function payloadShape(kind: unknown, mode: unknown): Shape {
  switch (kind) {
    case 'newHeads':
      return object(headerMembers)
    case 'logs':
    case 'pendingLogs':
      return log
    case 'newPartialBlocks':
      return mode === 'block' ? pendingBlock : partialBlock
    case 'newPendingTransactions':
      return mode === true ? transaction : either(hash, transaction)
    default:
      return anything
  }
}

function words(what: string, path: string): string {
  const where = path === '' ? '' : ` (${path.slice(0, PARTS_OF_PATH)})`
  return `the chain's answer to ${what} is invalid${where}`
}

/** Checks the answers and events of a remote chain, so that no invalid value reaches the page's own code. */
export class RemoteAnswers {
  /** Subscription id → the required shape of its events. */
  readonly #payloads = new Map<string, { readonly kind: string; readonly shape: Shape }>()

  /**
   * Returns the answer, or a JSON-RPC error that says what is wrong with it.
   *
   * @param body - The request, as the page's provider wrote it.
   * @param answer - JSON text; anything that is not JSON-RPC is left to the provider.
   */
  check(body: string, answer: string | undefined): string | undefined {
    const request = parse(body) as JsonRpcRequest | undefined
    const response = answer === undefined ? undefined : parse(answer)
    if (!request || Array.isArray(request) || !isRecord(response)) return answer
    const { method, params, id = null } = request
    const refuse = (path: string) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        error: { code: ERROR_CODES.internal, message: words(method, path) },
      })
    if (Object.hasOwn(response, 'error')) {
      const wrong = object({ code: wholeFrom(-(2 ** 53), 2 ** 53), message: text })(response['error'], 'error')
      return wrong === undefined ? answer : refuse(wrong)
    }
    const { result } = response
    const wrong = answerShape(request)(result, '')
    if (wrong !== undefined) return refuse(wrong)
    if (method === 'eth_subscribe' && typeof result === 'string') {
      const [kind, mode] = params ?? []
      this.#payloads.set(result, { kind: String(kind), shape: payloadShape(kind, mode) })
    }
    if (method === 'eth_unsubscribe') this.#payloads.delete(String(params?.[0]))
    return answer
  }

  /** The problem with a subscription's event; `undefined` if there is none, or if nobody has subscribed to it yet. */
  problemWith(body: string): string | undefined {
    const message = parse(body)
    const params = isRecord(message) ? message['params'] : undefined
    if (!isRecord(params)) return words('a subscription', 'params')
    const known = this.#payloads.get(String(params['subscription']))
    if (!known || Object.hasOwn(params, 'error')) return undefined
    const wrong = known.shape(params['result'], '')
    return wrong === undefined ? undefined : words(`the subscription ${known.kind}`, wrong)
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Not JSON: the caller decides what that means.
    return undefined
  }
}
