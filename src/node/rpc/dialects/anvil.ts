import { bytesToHex, toQuantity, toWord } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { DIALECTS } from '#rpc-types/dialects.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { CallFailedError, type CallFailure } from '../../evm/calls/call.ts'
import { SimulationError, type SimulationFailure } from '../../payload/simulation/simulation.ts'
import { ControlRefusedError } from '../../sequencer/control-refused.ts'
import { MAX_TRANSACTION_GAS, TRANSACTION_GAS } from '../../spec/gas-schedule.ts'
import { encodeTransaction } from '../../tx/encode.ts'
import { TxRejectedError, type TxRejection } from '../../tx/rejection.ts'
import { feeCap } from '../../tx/transaction.ts'
import { decodeString, readRevert, SELECTOR_BYTES } from '../calls/revert-reason.ts'
import type { CallerContext } from '../define-method.ts'
import { RpcRefusedError, toErrorObject } from '../errors.ts'
import { type FilterStore, MAX_FILTERS } from '../logs/filter-store.ts'
import { type LogQuery, logQuery } from '../logs/log-filter-params.ts'
import { ETH_CALL_METHODS } from '../methods/eth/calls.ts'
import { logsOf } from '../methods/eth/logs.ts'
import { formatUnsigned } from '../methods/eth/sending.ts'
import { draftTransaction, finishDraft } from '../sending/fill-transaction.ts'
import { transactionArgs } from '../sending/transaction-params.ts'
import { type Dialect, DialectRefusal, type Manner, type RefusedCall } from './dialect.ts'
import { optionsWith } from './dialect-options.ts'
import {
  answering,
  asCall,
  askedBlock,
  baseFeeOf,
  type Fields,
  fromFirst,
  has,
  isPlainTransfer,
  PRICES,
  priceOf,
  QUANTITY,
  rangeOf,
  smaller,
  without,
} from './shared.ts'

/** Anvil's codes for refusals. */
const CODES = {
  rejected: -32003,
  badParams: -32602,
  server: -32000,
  internal: -32603,
  noMethod: -32601,
  notFound: -32001,
} as const

type Words = readonly [code: number, message: string]

/** What anvil says where geth refuses a transaction. What is missing has geth's words. */
const REJECTIONS: { readonly [Code in TxRejection]?: Words } = {
  'too-short': [CODES.badParams, 'Empty transaction data'],
  'type-not-supported': [CODES.badParams, 'Failed to decode transaction'],
  'invalid-rlp': [CODES.badParams, 'Failed to decode transaction'],
  'already-known': [CODES.rejected, 'transaction already imported'],
  'initcode-too-large': [CODES.rejected, 'max initcode size exceeded'],
  'gas-over-cap': [CODES.server, 'intrinsic gas too high -- tx.gas_limit > env.block.gas_limit'],
  'gas-over-block-limit': [CODES.server, 'intrinsic gas too high -- tx.gas_limit > env.block.gas_limit'],
  'tip-over-fee-cap': [CODES.rejected, 'max priority fee per gas higher than max fee per gas'],
  'wrong-chain': [CODES.rejected, 'invalid chain id for signer'],
  'nonce-max': [CODES.rejected, 'nonce has max value'],
  'intrinsic-gas-too-low': [CODES.server, 'intrinsic gas too low'],
  'nonce-too-low': [CODES.rejected, 'nonce too low'],
  'insufficient-funds': [CODES.rejected, 'Insufficient funds for gas * price + value'],
  'replacement-underpriced': [CODES.rejected, 'replacement transaction underpriced'],
}

/** What anvil says where a call cannot be executed. What is missing has geth's words. */
const CALL_FAILURES: { readonly [Code in CallFailure]?: Words } = {
  'insufficient-funds': [CODES.rejected, 'Insufficient funds for gas * price + value'],
  'gas-too-low': [CODES.server, 'intrinsic gas too high -- CallGasCostMoreThanGasLimit'],
  'initcode-too-large': [CODES.rejected, 'max initcode size exceeded'],
  // Of a cap below the base fee nothing is said.
  price: [CODES.badParams, 'Invalid input: `max_priority_fee_per_gas` greater than `max_fee_per_gas`'],
}

/** Anvil's words for the codes of `Panic(uint256)`. */
const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic/unspecified error'],
  [0x01n, 'assertion failed'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'failed to convert value into enum type'],
  [0x22n, 'storage byte array incorrectly encoded'],
  [0x31n, 'called `.pop()` on an empty array'],
  [0x32n, 'array out-of-bounds access'],
  [0x41n, 'memory allocation error'],
  [0x51n, 'called an invalid internal function'],
])

/** What anvil tells of revert data after `execution reverted`; `undefined` of none. */
function tellRevert(output: Uint8Array): string | undefined {
  const revert = readRevert(output)
  switch (revert.kind) {
    case 'none':
      return undefined
    case 'reason':
      return revert.reason
    case 'panic':
      return `panic: ${PANICS.get(revert.code) ?? 'unknown code'} (0x${revert.code.toString(16).padStart(2, '0')})`
    case 'other':
      return decodeString(output) || ascii(output) || tellCustom(output)
  }
}

function tellCustom(output: Uint8Array): string {
  if (output.length < SELECTOR_BYTES) return `custom error bytes ${bytesToHex(output)}`
  const [selector, rest] = [output.subarray(0, SELECTOR_BYTES), output.subarray(SELECTOR_BYTES)]
  const custom = `custom error ${bytesToHex(selector)}`
  return rest.length === 0 ? custom : `${custom}: ${utf8(rest) ?? bytesToHex(rest).slice(2)}`
}

const ascii = (bytes: Uint8Array) => (bytes.every((byte) => byte < 0x80) ? utf8(bytes) : undefined)

/** The text of bytes that are UTF-8; `undefined` for others. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** Anvil's names of what ends a call, by how geth's words for it begin. */
const HALTS: readonly (readonly [words: string, name: string])[] = [
  ['invalid opcode: INVALID', 'InvalidFEOpcode'],
  ['invalid opcode: opcode 0x', 'OpcodeNotFound'],
  ['stack underflow', 'StackUnderflow'],
  ['stack limit reached', 'StackOverflow'],
  ['invalid jump destination', 'InvalidJump'],
  ['out of gas', 'OutOfGas'],
  ['gas uint64 overflow', 'OutOfGas'],
  ['write protection', 'StateChangeDuringStaticCall'],
  ['return data out of bounds', 'OutOfOffset'],
  ['max code size exceeded', 'CreateContractSizeLimit'],
  ['max initcode size exceeded', 'CreateInitCodeSizeLimit'],
  ['invalid code: must not begin with 0xef', 'CreateContractStartingWithEF'],
  ['contract address collision', 'CreateCollision'],
  ['max call depth exceeded', 'CallTooDeep'],
]

function tellHalt(message: string): Words | undefined {
  const [, allowance] = /^gas required exceeds allowance \((\d+)\)/.exec(message) ?? []
  if (allowance !== undefined) return [CODES.rejected, `Out of gas: gas required exceeds allowance: ${allowance}`]
  const [, name] = HALTS.find(([words]) => message.startsWith(words)) ?? []
  return name === undefined ? undefined : [CODES.internal, `EVM error ${name}`]
}

/** What anvil says where the node refuses a request, by the node's words for it. */
const REFUSALS: readonly (readonly [RegExp, (match: RegExpExecArray) => Words])[] = [
  [/^unknown account/, () => [CODES.badParams, 'No Signer available']],
  [/^the method .* does not exist|^invalid request$/, () => [CODES.noMethod, 'Method not found']],
  [/^maxFeePerGas \(/, () => [CODES.rejected, 'max priority fee per gas higher than max fee per gas']],
  [
    /^(Timestamp error: \d+ is lower than previous block's timestamp) \d+$/,
    ([, words]) => [CODES.badParams, String(words)],
  ],
  [/^header for hash not found$/, () => [CODES.notFound, 'Resource not found']],
  [
    /^chainId does not match node's \(have=(\d+), want=(\d+)\)/,
    ([, have, want]) => [
      CODES.badParams,
      `transaction-provided chain ID (${have}) does not match the signer's chain ID (${want})`,
    ],
  ],
]

/** What anvil says where a simulation as a whole is refused. */
const SIMULATIONS: { readonly [Failure in SimulationFailure]?: Words } = {
  'insufficient-funds': [CODES.rejected, 'Insufficient funds for gas * price + value'],
  'intrinsic-gas': [CODES.server, 'intrinsic gas too high -- CallGasCostMoreThanGasLimit'],
}

/** Anvil names the head and the block that was asked for. */
const outOfRange = (asked: number, head: number): JsonRpcErrorObject => ({
  code: CODES.badParams,
  message: `BlockOutOfRangeError: block height is ${head} but requested was ${asked}`,
})

function refuse(error: unknown, { params }: RefusedCall, context: CallerContext): JsonRpcErrorObject | undefined {
  if (error instanceof DialectRefusal) return error.object
  if (error instanceof TxRejectedError) return inWords(REJECTIONS[error.code])
  if (error instanceof RpcRefusedError || error instanceof ControlRefusedError) {
    const asked = error.message === 'header not found' ? askedBlock(params) : undefined
    if (asked !== undefined) return outOfRange(asked, context.chain.head().header.number)
    for (const [pattern, words] of REFUSALS) {
      const match = pattern.exec(error.message)
      if (match) return inWords(words(match))
    }
    return undefined
  }
  if (error instanceof SimulationError) return inWords(SIMULATIONS[error.code])
  if (!(error instanceof CallFailedError)) return undefined
  if (error.code === 'vm-error') return inWords(tellHalt(error.message))
  if (error.code !== 'reverted') return inWords(CALL_FAILURES[error.code])
  const usual = toErrorObject(error)
  const told = tellRevert(error.output ?? new Uint8Array(0))
  return usual && { ...usual, message: told === undefined ? 'execution reverted' : `execution reverted: ${told}` }
}

const inWords = (words: Words | undefined) => words && { code: words[0], message: words[1] }

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

/** Sends also what fails while its gas is estimated: with as much gas as a transaction may have. */
const sending: Manner = async ({ args: [given, ...rest], context, run }) => {
  if (!isObject(given)) return run([given, ...rest])
  const transaction = filledIn(given, context)
  checkPrice(priceOf(transaction), context)
  if (has(transaction, 'gas')) return run([transaction, ...rest])
  const most = () => toQuantity(smaller(context.chain.pending().header.gasLimit, MAX_TRANSACTION_GAS))
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

/** The past of filters that nobody has polled yet, for each node: of at most as many as it keeps. */
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
  const id = String(await run(hasEnded ? [{ topics: [NO_TOPIC] }] : args))
  if (ranged.kind === 'within') remember(context.filters, id, logQuery.parse(ranged.query))
  return id
}

function remember(filters: FilterStore, id: string, query: LogQuery): void {
  const pasts = PASTS.get(filters) ?? new Map<string, LogQuery>()
  PASTS.set(filters, pasts)
  const [oldest] = pasts.keys()
  if (oldest !== undefined && pasts.size >= MAX_FILTERS) pasts.delete(oldest)
  pasts.set(id, query)
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

export const ANVIL: Dialect = {
  ...DIALECTS.anvil,
  name: 'anvil',
  withOptions: (given, isStored) => optionsWith(DIALECTS.anvil, given, isStored),
  lacks: (method) => method.startsWith('wallet_'),
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
}
