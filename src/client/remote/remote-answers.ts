import { isObject, parsedJson } from '#primitives/json-object.ts'
import type { RpcListedAccount, RpcListedBlock, RpcListedTransaction, RpcListPlace } from '#rpc-types/chain-lists.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { DevnetPartialBlocks, DevnetStorage, ShownMoment, TransactionTimeline } from '#rpc-types/methods/devnet.ts'
import type {
  RoomBeat,
  RoomGuest,
  RoomGuests,
  RoomInfo,
  RoomMethods,
  RoomPlace,
  RoomReceipt,
} from '#rpc-types/methods/room.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { RpcFeeHistory } from '#rpc-types/objects.ts'
import {
  block,
  headerMembers,
  log,
  moments,
  partialBlock,
  pendingBlock,
  pooled,
  receipt,
  status,
  timelineEvent,
  transaction,
  withdrawal,
} from './chain-shapes.ts'
import {
  build,
  consoleLogs,
  executionTrace,
  prestateDiff,
  stackTrace,
  stepWindow,
  storageTrace,
} from './execution-shapes.ts'
import { callTrace, openRpcDocument } from './nested-shapes.ts'
import {
  address,
  anything,
  blockNumber,
  count,
  data,
  either,
  flag,
  hash,
  listOf,
  matches,
  nullable,
  numberFrom,
  object,
  optional,
  PARTS_OF_PATH,
  partialIndex,
  quantity,
  quantityUpTo,
  recordOf,
  type Shape,
  text,
  timestamp,
  wholeFrom,
} from './shapes.ts'

/** An address that becomes a link. */
const link: Shape = (value, path) =>
  matches(/^https?:\/\/[^\s]{1,500}$/)(value, path) ?? (URL.canParse(String(value)) ? undefined : path)

const roomGuest = object<RoomGuest>({
  number: count,
  name: text,
  address,
  mark: count,
  connected: flag,
  sent: count,
  latencyMs: nullable(numberFrom(0, 1e9)),
})

const listPlace = object<RpcListPlace>({ blockNumber, index: optional(blockNumber) })

const listedBlock = object<RpcListedBlock>({
  number: blockNumber,
  hash,
  timestamp,
  isSealed: flag,
  gasUsed: quantity,
  gasLimit: quantity,
  baseFeePerGas: quantity,
  failed: count,
  transactionsByPartial: listOf(count),
})

const listedTransaction = object<RpcListedTransaction>({
  hash,
  blockNumber,
  transactionIndex: blockNumber,
  partialIndex,
  isSealed: flag,
  timestamp,
  from: address,
  to: nullable(address),
  contractAddress: nullable(address),
  nonce: quantity,
  value: quantity,
  input: data,
  status: matches(/^0x[01]$/),
  gasUsed: quantity,
})

const listedAccount = object<RpcListedAccount>({
  address,
  balance: quantity,
  nonce: quantity,
  codeSize: count,
  delegatedTo: nullable(address),
})

const roomBeat = object<RoomBeat>({
  block: count,
  index: count,
  sealed: flag,
  guests: listOf(count),
  atMs: numberFrom(0, 2 ** 53),
  rewinds: count,
})

/** The parts of a remote chain's answers that the page reads, by method. */
const ANSWERS: { readonly [Name in MethodName | keyof RoomMethods | 'base_transactionStatus']?: Shape } = {
  chain_transactionStatus: object({ status: text }),
  base_transactionStatus: object({ status: text }),
  debug_storageRangeAt: object({ storage: recordOf(object({ key: hash, value: hash })), nextKey: nullable(hash) }),
  debug_traceCall: either(object({}), text),
  debug_traceTransaction: either(object({}), text),
  devnet_getTransactionTimeline: nullable(object<TransactionTimeline>({ hash, events: listOf(timelineEvent) })),
  devnet_getPartialBlocks: nullable(object<DevnetPartialBlocks>({ hash, transactionsByPartial: listOf(count) })),
  devnet_listAccounts: object({ accounts: listOf(listedAccount), next: nullable(address) }),
  devnet_listBlocks: object({ blocks: listOf(listedBlock), next: nullable(blockNumber) }),
  devnet_listLogs: object({ logs: listOf(log), next: nullable(listPlace) }),
  devnet_listTransactions: object({ transactions: listOf(listedTransaction), next: nullable(listPlace) }),
  devnet_status: status,
  devnet_exportChain: text,
  devnet_getMoments: nullable(moments),
  devnet_showMoment: object<ShownMoment>({ moment: count }),
  devnet_getBuild: nullable(build),
  devnet_getConsoleLogs: consoleLogs,
  devnet_getStorage: object<DevnetStorage>({ kind: matches(/^(?:memory|journal)$/), blocks: count, statesKept: count }),
  devnet_reorg: object({ head: object({ number: blockNumber, hash }), removed: listOf(hash) }),
  devnet_snapshot: quantity,
  devnet_getStackTrace: nullable(stackTrace),
  devnet_traceExecution: executionTrace,
  devnet_traceSteps: stepWindow,
  devnet_traceStorage: storageTrace,
  devnet_withdrawNext: nullable(withdrawal),
  eth_accounts: listOf(address),
  eth_blockNumber: blockNumber,
  eth_call: data,
  eth_chainId: quantityUpTo(Number.MAX_SAFE_INTEGER),
  eth_estimateGas: quantity,
  eth_feeHistory: object<RpcFeeHistory>({ oldestBlock: blockNumber, gasUsedRatio: listOf(numberFrom(0, 1e9)) }),
  eth_gasPrice: quantity,
  eth_getBalance: quantity,
  eth_getBlockByHash: nullable(block),
  eth_getBlockReceipts: nullable(listOf(receipt)),
  eth_getCode: data,
  eth_getLogs: listOf(log),
  eth_getProof: object({ storageHash: hash, codeHash: hash }),
  eth_getRawTransactionByHash: nullable(data),
  eth_getStorageAt: data,
  eth_getStorageValues: recordOf(listOf(hash)),
  eth_getTransactionByHash: nullable(transaction),
  eth_getTransactionCount: quantityUpTo(Number.MAX_SAFE_INTEGER),
  eth_getTransactionReceipt: nullable(receipt),
  eth_maxPriorityFeePerGas: quantity,
  eth_sendRawTransaction: hash,
  eth_sendRawTransactionSync: receipt,
  eth_sendTransaction: hash,
  eth_subscribe: text,
  ots_getContractCreator: nullable(object({ hash, creator: address })),
  ots_searchTransactionsBefore: object({ txs: listOf(transaction), receipts: listOf(receipt) }),
  room_guests: object<RoomGuests>({
    guests: listOf(roomGuest),
    connected: count,
    watching: count,
    transactionsPerSecond: numberFrom(0, 1e9),
    latencyMs: nullable(numberFrom(0, 1e9)),
  }),
  room_info: object<RoomInfo>({
    role: matches(/^(?:speaker|guest)$/),
    url: link,
    guests: count,
    limits: object<RoomInfo['limits']>({ transactionsPerSecond: numberFrom(0, 1e9) }),
  }),
  room_report: object<RoomReceipt>({ preconfirmedAtMs: numberFrom(0, 2 ** 53) }),
  room_join: object<RoomPlace>({ number: count, mark: count, balance: quantity, secret: data }),
  rpc_discover: openRpcDocument,
  txpool_content: object({ pending: pooled, queued: pooled }),
  txpool_contentFrom: object({ pending: recordOf(transaction), queued: recordOf(transaction) }),
  txpool_status: object({ pending: blockNumber, queued: blockNumber }),
  wallet_getCapabilities: recordOf(object({})),
  web3_clientVersion: text,
}

const TRACES: ReadonlySet<string> = new Set(['debug_traceCall', 'debug_traceTransaction'])

/** The tracers whose results the page reads; others are shown as they are. */
function traceShape(params: JsonRpcRequest['params'] = []): Shape | undefined {
  const config: unknown = params.at(-1)
  if (!isObject(config)) return undefined
  const { tracer, tracerConfig } = config
  if (tracer === 'callTracer') return callTrace
  return tracer === 'prestateTracer' && isObject(tracerConfig) && tracerConfig['diffMode'] === true
    ? prestateDiff
    : undefined
}

function answerShape({ method, params }: JsonRpcRequest): Shape {
  const [selector] = params ?? []
  if (method === 'eth_getBlockByNumber') return nullable(selector === 'pending' ? pendingBlock : block)
  const trace = TRACES.has(method) ? traceShape(params) : undefined
  if (trace) return trace
  return Object.hasOwn(ANSWERS, method) ? (ANSWERS[method as keyof typeof ANSWERS] ?? anything) : anything
}

/** Payloads of subscriptions, by the kind and the first parameter after it. */
function payloadShape(kind: unknown, mode: unknown): Shape {
  switch (kind) {
    case 'newHeads':
      return object(headerMembers)
    case 'logs':
    case 'pendingLogs':
      return log
    case 'consoleLogs':
      return consoleLogs
    case 'newPartialBlocks':
      if (mode === 'flashblock') return anything
      return mode === 'block' ? pendingBlock : partialBlock
    case 'newPendingTransactions':
      return mode === true ? transaction : either(hash, transaction)
    case 'room':
      return roomBeat
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
    const request = parsedJson(body) as JsonRpcRequest | undefined
    const response = answer === undefined ? undefined : parsedJson(answer)
    if (!request || Array.isArray(request) || !isObject(response)) return answer
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
    const message = parsedJson(body)
    const params = isObject(message) ? message['params'] : undefined
    if (!isObject(params)) return words('a subscription', 'params')
    const known = this.#payloads.get(String(params['subscription']))
    if (!known || Object.hasOwn(params, 'error')) return undefined
    const wrong = known.shape(params['result'], '')
    return wrong === undefined ? undefined : words(`the subscription ${known.kind}`, wrong)
  }
}
