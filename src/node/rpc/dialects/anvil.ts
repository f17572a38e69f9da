import { bytesToHex, toQuantity, toWord } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { CallFailedError } from '../../evm/calls/call.ts'
import { TRANSACTION_GAS } from '../../spec/gas-schedule.ts'
import { encodeTransaction } from '../../tx/encode.ts'
import { feeCap } from '../../tx/transaction.ts'
import type { CallerContext } from '../define-method.ts'
import { type FilterStore, MAX_FILTERS } from '../logs/filter-store.ts'
import { countCriteria, type LogQuery, logQuery } from '../logs/log-filter-params.ts'
import { ETH_CALL_METHODS } from '../methods/eth/calls.ts'
import { logsOf } from '../methods/eth/logs.ts'
import { formatUnsigned } from '../methods/eth/sending.ts'
import { draftTransaction, finishDraft } from '../sending/fill-transaction.ts'
import { transactionArgs } from '../sending/transaction-params.ts'
import { CODES, outOfRange, refuse } from './anvil-words.ts'
import { type Dialect, DialectRefusal } from './dialect.ts'
import { dialectFrom } from './dialect-from.ts'
import {
  answering,
  asCall,
  baseFeeOf,
  type Fields,
  fromFirst,
  has,
  isPlainTransfer,
  lacksWallet,
  type Manner,
  PRICES,
  priceOf,
  QUANTITY,
  rangeOf,
  without,
} from './shared.ts'

/** From the first account where nobody is named, at anvil's price: the base fee and a tip. */
function filledIn(given: Fields, context: CallerContext): Fields {
  if (priceOf(given) !== undefined) return fromFirst(given, context)
  // An older type without its price becomes one of type 2.
  const isOld = given['type'] === '0x0' || given['type'] === '0x1'
  const maxFeePerGas = toQuantity(baseFeeOf(context) + context.spec.suggestedTip)
  return { ...fromFirst(isOld ? without(given, ['type']) : given, context), maxFeePerGas }
}

/** The gas that a transaction needs, whatever it pays. */
async function gasFor(transaction: Fields, context: CallerContext): Promise<string> {
  const run = async (args: readonly unknown[]) => ETH_CALL_METHODS.eth_estimateGas.run(context, args)
  return String(await estimating({ args: [without(transaction, PRICES)], context, run }))
}

/** Sends also what fails while its gas is estimated: with as much gas as a block has. */
const sending: Manner = async ({ args: [given, ...rest], context, run }) => {
  if (!isObject(given)) return run([given, ...rest])
  const transaction = filledIn(given, context)
  checkPrice(priceOf(transaction), context)
  if (has(transaction, 'gas')) return run([transaction, ...rest])
  const most = () => toQuantity(context.chain.pending().header.gasLimit)
  const gas = await gasFor(transaction, context).catch((error: unknown) => {
    if (error instanceof CallFailedError) return most()
    throw error
  })
  return run([{ ...transaction, gas }, ...rest])
}

/** Fills in without a look at the fees, and tells more members of the transaction. */
const filling: Manner = async ({ args: [given], context, run }) => {
  if (!isObject(given)) return run([given])
  const transaction = filledIn(given, context)
  const gas = has(transaction, 'gas') ? transaction['gas'] : await gasFor(transaction, context)
  const args = transactionArgs.parse({ ...transaction, gas })
  const { maxFeePerGas, maxPriorityFeePerGas } = args
  const draft = await draftTransaction(context, { ...args, maxPriorityFeePerGas: maxFeePerGas && 0n })
  const nonce = args.nonce ?? context.pool.pendingNonce(draft.request.from)
  const bare = finishDraft(draft, nonce, context.spec)
  const isDynamic = bare.type === 2 || bare.type === 4
  const tip = maxPriorityFeePerGas ?? context.spec.suggestedTip
  const tx = isDynamic ? { ...bare, maxPriorityFeePerGas: tip } : bare
  const raw = encodeTransaction(tx, undefined)
  return {
    raw: bytesToHex(raw),
    tx: {
      ...formatUnsigned(tx, raw),
      from: draft.request.from,
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
      ...(isDynamic && { gasPrice: toQuantity(feeCap(tx)) }),
    },
  }
}

/** Fills in what is missing before it signs. */
const signing: Manner = async ({ args: [given], context, run }) => {
  if (!isObject(given)) return run([given])
  const transaction = filledIn(given, context)
  const gas = has(transaction, 'gas') ? transaction['gas'] : await gasFor(transaction, context)
  const { from } = transactionArgs.parse(transaction)
  const nonce = transaction['nonce'] ?? (from === undefined ? '0x0' : toQuantity(context.pool.pendingNonce(from)))
  const tip = has(transaction, 'gasPrice') ? {} : { maxPriorityFeePerGas: toQuantity(context.spec.suggestedTip) }
  return run([{ ...tip, ...transaction, gas, nonce }])
}

const calling: Manner = async ({ args: [given, ...rest], context, run }) =>
  run([isObject(given) ? asCall(given, context) : given, ...rest])

/** A plain transfer needs what every transfer needs, whether its sender can pay or not. */
const estimating: Manner = async ({ args: [given, ...rest], context, run }) => {
  if (!isObject(given)) return run([given, ...rest])
  if (isPlainTransfer(given, context)) return toQuantity(TRANSACTION_GAS)
  return run([asCall(given, context), ...rest])
}

/** With the price of blobs, and the timestamp of its block as a number. */
const receipt = answering((fields, { chain }) => {
  const block = chain.blockByNumber(Number(fields['blockNumber']))
  return {
    ...fields,
    blobGasPrice: '0x1',
    ...(block && { blockTimestamp: block.header.timestamp }),
  }
})

/** The members of a block and of a transaction in anvil's order, which snapshots of tests keep. */
const BLOCK_ORDER = (
  'hash parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed ' +
  'timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot ' +
  'requestsHash totalDifficulty size uncles transactions withdrawals'
).split(' ')
const TRANSACTION_ORDER = (
  'type chainId nonce gas maxFeePerGas maxPriorityFeePerGas to value accessList authorizationList input r s yParity v ' +
  'hash blockHash blockNumber transactionIndex from gasPrice blockTimestamp'
).split(' ')

/** The members in that order; others follow. */
function inOrder(fields: Fields, order: readonly string[]): Fields {
  const known = order.filter((name) => Object.hasOwn(fields, name))
  return { ...Object.fromEntries(known.map((name) => [name, fields[name]])), ...fields }
}

const block = answering((fields) => inOrder({ ...fields, totalDifficulty: '0x0' }, BLOCK_ORDER))
const transaction = answering((fields) => inOrder(fields, TRANSACTION_ORDER))

/** The addresses by which a pool is listed, in lower case. */
const lowerCaseKeys = answering((pool) =>
  Object.fromEntries(
    Object.entries(pool).map(([part, senders]) => [
      part,
      isObject(senders)
        ? Object.fromEntries(Object.entries(senders).map(([sender, own]) => [sender.toLowerCase(), own]))
        : senders,
    ]),
  ),
)

/** Answers `answer` instead of what the method answers. */
const answeringAs =
  (answer: unknown): Manner =>
  async ({ args, run }) => {
    await run(args)
    return answer
  }

/** Ranges of logs: one that ends above the head ends there, and one that is empty has no logs. */
const logs: Manner = async ({ args, context, run }) => {
  const [given] = args
  if (!isObject(given) || has(given, 'blockHash')) return run(args)
  const ranged = rangeOf(given, context)
  if (ranged.kind === 'empty') return []
  if (ranged.kind === 'above') throw new DialectRefusal(outOfRange(ranged.from, ranged.head))
  return run([ranged.query])
}

/** Most addresses and topics of the queries in {@link PASTS}, for each node: 10 MB. */
const MAX_PAST_CRITERIA = 100_000

/**
 * The queries of filters whose past nobody has polled yet, the oldest first, for each node. Of more than it keeps filters, or
 * of too many addresses and topics, the oldest are forgotten: their first poll has what is new alone.
 */
const PASTS = new WeakMap<FilterStore, Map<string, LogQuery>>()

/** A hash that no topic has, so that nothing new meets a filter whose range has ended. */
const NO_TOPIC = toWord(0)

/** A filter that begins in the past has that past in its first poll, and one that also ends there has nothing else. */
const filtering: Manner = async ({ args, context, run }) => {
  const [given] = args
  if (!isObject(given) || has(given, 'blockHash')) return run(args)
  const head = context.chain.head().header.number
  const to = given['toBlock']
  const hasEnded = typeof to === 'string' && QUANTITY.test(to) && Number(to) <= head
  if (!hasEnded && !has(given, 'fromBlock')) return run(args)
  const ranged = rangeOf(given, context)
  if (ranged.kind === 'above') throw new DialectRefusal(outOfRange(ranged.from, ranged.head))
  const query = ranged.kind === 'within' ? logQuery.parse(ranged.query) : undefined
  const id = String(await run(hasEnded ? [{ topics: [NO_TOPIC] }] : args))
  if (query) remember(context.filters, id, query)
  return id
}

function remember(filters: FilterStore, id: string, query: LogQuery): void {
  const pasts = PASTS.get(filters) ?? new Map<string, LogQuery>()
  PASTS.set(filters, pasts)
  pasts.set(id, query)
  let criteria = [...pasts.values()].reduce((sum, each) => sum + countCriteria(each), 0)
  for (const [oldest, old] of pasts) {
    if (pasts.size <= MAX_FILTERS && criteria <= MAX_PAST_CRITERIA) return
    pasts.delete(oldest)
    criteria -= countCriteria(old)
  }
}

const polling: Manner = async ({ args, context, run }) => {
  const id = String(args[0])
  const pasts = PASTS.get(context.filters)
  const query = pasts?.get(id)
  if (!query) return run(args)
  pasts?.delete(id)
  const fresh = (await run(args)) as readonly RpcLog[]
  const past = await logsOf(context, query)
  const known = new Set(past.map(({ blockHash, logIndex }) => `${blockHash} ${logIndex}`))
  return [...past, ...fresh.filter(({ blockHash, logIndex }) => !known.has(`${blockHash} ${logIndex}`))]
}

/** A chain that starts over has the base fee of block 0 in block 1, too. */
const resetting: Manner = async ({ args, context, run }) => {
  const answer = await run(args)
  const { chain, control, fork, spec } = context
  if (!fork && chain.head().header.number === 0) await control.setNextHeader({ baseFeePerGas: spec.baseFee }, false)
  return answer
}

/** @throws {DialectRefusal} If the next block could not have a transaction with that fee cap. */
function checkPrice(cap: bigint | undefined, context: CallerContext): void {
  if (cap === undefined || cap >= baseFeeOf(context)) return
  throw new DialectRefusal({ code: CODES.rejected, message: 'max fee per gas less than block base fee' })
}

export const ANVIL: Dialect<CallerContext> = dialectFrom('anvil', {
  lacks: lacksWallet,
  manners: {
    eth_sendTransaction: sending,
    eth_sendTransactionSync: async (call) => receipt({ ...call, run: async () => sending(call) }),
    eth_sendRawTransactionSync: receipt,
    eth_fillTransaction: filling,
    eth_signTransaction: signing,
    eth_call: calling,
    eth_createAccessList: calling,
    eth_estimateGas: estimating,
    eth_getTransactionReceipt: receipt,
    eth_getBlockReceipts: receipt,
    eth_getBlockByNumber: block,
    eth_getBlockByHash: block,
    eth_getTransactionByHash: transaction,
    eth_getTransactionByBlockHashAndIndex: transaction,
    eth_getTransactionByBlockNumberAndIndex: transaction,
    eth_getRawTransactionByHash: async ({ args, run }) => {
      const raw = await run(args)
      return raw === '0x' ? null : raw
    },
    eth_getLogs: logs,
    eth_newFilter: filtering,
    eth_getFilterChanges: polling,
    txpool_content: lowerCaseKeys,
    txpool_inspect: lowerCaseKeys,
    devnet_reset: resetting,
    anvil_reset: resetting,
    hardhat_reset: resetting,
    evm_setAutomine: answeringAs(null),
    evm_setIntervalMining: answeringAs(null),
  },
  admit: (tx, context) => checkPrice(feeCap(tx), context),
  refuse,
})
