import { type Address, bytesToHex, toQuantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { CallFailedError } from '../../evm/calls/call.ts'
import { ControlRefusedError } from '../../sequencer/control-refused.ts'
import { MAX_TRANSACTION_GAS, TRANSACTION_GAS } from '../../spec/gas-schedule.ts'
import { TxRejectedError, type TxRejection } from '../../tx/rejection.ts'
import { feeCap, type Transaction } from '../../tx/transaction.ts'
import { readRevert } from '../calls/revert-reason.ts'
import type { CallerContext } from '../define-method.ts'
import { RpcRefusedError, toErrorObject } from '../errors.ts'
import { type Dialect, DialectRefusal, type RefusedCall } from './dialect.ts'
import { dialectFrom } from './dialect-from.ts'
import {
  asCall,
  askedBlock,
  baseFeeOf,
  bigIn,
  type Fields,
  fromFirst,
  has,
  isPlainTransfer,
  lacksWallet,
  type Manner,
  rangeOf,
  smaller,
} from './shared.ts'

/** EIP-1474: a method that is not supported. */
const UNSUPPORTED = -32004

/** Hardhat's words for the codes of `Panic(uint256)`. */
const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x01n, 'Assertion error'],
  [0x11n, 'Arithmetic operation overflowed outside of an unchecked block'],
  [0x12n, 'Division or modulo division by zero'],
  [0x21n, 'Tried to convert a value into an enum, but the value was too big or negative'],
  [0x22n, 'Incorrectly encoded storage byte array'],
  [0x31n, '.pop() was called on an empty array'],
  [0x32n, 'Array accessed at an out-of-bounds or negative index'],
  [0x41n, 'Too much memory was allocated, or an array was created that is too large'],
  [0x51n, 'Called a zero-initialized variable of internal function type'],
])

// Hardhat 2 puts `Error: ` before these over HTTP. Suites are written for what both say in process, and the matchers of
// Hardhat 3 know what failed by how the message begins.
const FAILED = 'VM Exception while processing transaction: '
const NO_REASON = 'Transaction reverted without a reason string'
const NOT_QUEUED = "Note that transactions can't be queued when automining."

/** What Hardhat says where a call reverts. The name of a custom error is known where its sources are. */
function tellRevert({ output = new Uint8Array(0), stackTrace }: CallFailedError): string {
  const revert = readRevert(output)
  switch (revert.kind) {
    case 'none':
      return NO_REASON
    case 'reason':
      return `${FAILED}reverted with reason string '${revert.reason}'`
    case 'panic': {
      const [code, words] = [`0x${revert.code.toString(16)}`, PANICS.get(revert.code)]
      return `${FAILED}reverted with ${words === undefined ? `unknown panic code ${code}` : `panic code ${code} (${words})`}`
    }
    case 'other': {
      const [, name, args = ''] = /^execution reverted: ([\w$]+)\((.*)\)$/s.exec(stackTrace?.message ?? '') ?? []
      return name === undefined
        ? `${FAILED}reverted with an unrecognized custom error (return data: ${bytesToHex(output)})`
        : `${FAILED}reverted with custom error '${name}(${inQuotes(args)})'`
    }
  }
}

/** Arguments of a custom error as Hardhat tells them: without their names, addresses and bytes in quotes as texts are. */
function inQuotes(args: string): string {
  return args.replace(/("(?:[^"\\]|\\.)*")|[\w$]+: |(0x[0-9a-f]*)/gi, (_, text?: string, hex?: string) =>
    hex === undefined ? (text ?? '') : `"${hex}"`,
  )
}

/** What Hardhat says where a call ends in an exception. */
function tellHalt(words: string): string {
  if (words.startsWith('invalid opcode')) return `${FAILED}invalid opcode`
  if (words === 'out of gas') return 'Transaction ran out of gas'
  if (words === 'max code size exceeded') {
    return 'Transaction reverted: trying to deploy a contract whose code is too large'
  }
  return NO_REASON
}

type Numbers = Readonly<Record<string, string>>

function needsGas({ gas, minimumGas }: Numbers): string {
  return `Transaction requires at least ${minimumGas} gas but got ${gas}`
}

/** What Hardhat says of a call that could not begin with its gas. */
function tellTooLittleGas(words: string): string | undefined {
  const [, gas, minimumGas] = /gas (?:too low|for floor data gas cost): have (\d+), want (\d+)/.exec(words) ?? []
  return gas === undefined || minimumGas === undefined ? undefined : needsGas({ gas, minimumGas })
}

/** What Hardhat says where the pool refuses a transaction, with its numbers in decimal. What is missing has geth's words. */
const REJECTIONS: { readonly [Code in TxRejection]?: (numbers: Numbers, automine: boolean) => string } = {
  'intrinsic-gas-too-low': needsGas,
  'floor-gas-too-low': needsGas,
  'gas-over-cap': ({ gas, cap }) => `Transaction gas limit is ${gas} and exceeds transaction gas cap of ${cap}`,
  'gas-over-block-limit': ({ gas, blockGasLimit }) =>
    `Transaction gas limit is ${gas} and exceeds block gas limit of ${blockGasLimit}`,
  'tip-over-fee-cap': ({ maxFeePerGas, maxPriorityFeePerGas }) =>
    `maxPriorityFeePerGas (${maxPriorityFeePerGas}) is bigger than maxFeePerGas (${maxFeePerGas})`,
  'nonce-too-low': ({ nextNonce, txNonce }, automine) =>
    automine
      ? `Nonce too low. Expected nonce to be ${nextNonce} but got ${txNonce}. ${NOT_QUEUED}`
      : `Transaction nonce too low. Expected nonce to be at least ${nextNonce} but got ${txNonce}.`,
  'insufficient-funds': ({ balance, txCost }) =>
    `Sender doesn't have enough funds to send tx. The max upfront cost is: ${txCost} and the sender's balance is: ${balance}.`,
  'replacement-underpriced': ({ requiredMaxFeePerGas }) =>
    `Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least ${requiredMaxFeePerGas} is necessary to replace the existing transaction.`,
}

/** Hex quantities in decimal; other texts as they are. */
function inDecimal(data: Numbers = {}): Numbers {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, value.startsWith('0x') ? String(BigInt(value)) : value]),
  )
}

/** What Hardhat says where the node refuses a request, by the node's words for it. */
const REFUSALS: readonly (readonly [
  RegExp,
  (match: RegExpExecArray, call: RefusedCall) => readonly [number, string],
])[] = [
  [/^unknown account/, (_, { params }) => [ERROR_CODES.server, `Unknown account ${accountIn(params)}`]],
  [
    /^the method .* does not exist|^invalid request$/,
    (_, { method }) => [UNSUPPORTED, `Method ${String(method).slice(0, 100)} is not supported`],
  ],
  [
    /^maxFeePerGas \((\d+)\) < maxPriorityFeePerGas \((\d+)\)/,
    ([, cap, tip]) => [ERROR_CODES.server, `maxPriorityFeePerGas (${tip}) is bigger than maxFeePerGas (${cap})`],
  ],
  [
    /^nonce too high: next nonce (\d+), tx nonce (\d+); with automine/,
    ([, next, given]) => [
      ERROR_CODES.server,
      `Nonce too high. Expected nonce to be ${next} but got ${given}. ${NOT_QUEUED}`,
    ],
  ],
  [/^(.*): the transaction was mined, and failed: /, ([, why]) => [ERROR_CODES.server, tellHalt(String(why))]],
  [/^contract creation without any data/, () => [ERROR_CODES.server, 'Contract creation without any data provided']],
  [
    /^both gasPrice and \(maxFeePerGas or maxPriorityFeePerGas\) specified/,
    (_, { params }) => [ERROR_CODES.server, `Cannot send both gasPrice and ${dynamicPriceIn(params)}`],
  ],
  [
    /^Timestamp error: (\d+) is lower than or equal to previous block's timestamp (\d+)/,
    ([, given, before]) => [
      ERROR_CODES.server,
      given === before
        ? `Timestamp ${given} is equal to the previous block's timestamp. Enable the 'allowBlocksWithSameTimestamp' option to allow this`
        : `Timestamp ${given} is lower than the previous block's timestamp ${before}`,
    ],
  ],
  [/^unknown block$/, () => [ERROR_CODES['invalid-params'], 'blockHash cannot be found']],
]

/** Hardhat's words for the member that gives a transaction the price of another type. */
function dynamicPriceIn(params: unknown): string {
  const [first] = Array.isArray(params) ? (params as readonly unknown[]) : []
  return isObject(first) && has(first, 'maxFeePerGas') ? 'maxFeePerGas params' : 'maxPriorityFeePerGas'
}

/** Whether a transaction object has the prices of two types. */
const hasTwoPrices = (given: Fields) =>
  has(given, 'gasPrice') && (has(given, 'maxFeePerGas') || has(given, 'maxPriorityFeePerGas'))

/** The account that a call is for: the sender of a transaction, or the first address. */
function accountIn(params: unknown): string {
  const [first, second] = Array.isArray(params) ? (params as readonly unknown[]) : []
  const named = isObject(first)
    ? first['from']
    : [first, second].find((param) => /^0x[0-9a-f]{40}$/i.test(String(param)))
  return String(named).slice(0, 42)
}

function refuse(error: unknown, call: RefusedCall, context: CallerContext): JsonRpcErrorObject | undefined {
  if (error instanceof DialectRefusal) return error.object
  const usual = toErrorObject(error)
  if (!usual) return undefined
  const message = tell(error, call, context)
  return typeof message === 'string' ? { ...usual, message } : message
}

function tell(
  error: unknown,
  call: RefusedCall,
  { chain, control }: CallerContext,
): string | JsonRpcErrorObject | undefined {
  if (error instanceof TxRejectedError) return REJECTIONS[error.code]?.(inDecimal(error.data), control.automine)
  if (error instanceof CallFailedError) {
    if (error.code === 'reverted') return tellRevert(error)
    if (error.code === 'gas-too-low') return tellTooLittleGas(error.message)
    return error.code === 'vm-error' ? tellHalt(error.message) : undefined
  }
  if (!(error instanceof RpcRefusedError || error instanceof ControlRefusedError)) return undefined
  if (error.cause instanceof CallFailedError && error.cause.code === 'vm-error') return tellHalt(error.cause.message)
  const asked = error.message === 'header not found' ? askedBlock(call.params) : undefined
  if (asked !== undefined) {
    return `Received invalid block tag ${asked}. Latest block number is ${chain.head().header.number}`
  }
  for (const [pattern, words] of REFUSALS) {
    const match = pattern.exec(error.message)
    if (!match) continue
    const [code, message] = words(match, call)
    return { ...toErrorObject(error), code, message }
  }
  return undefined
}

/** From the first account where nobody is named, with as much gas as a transaction may have. */
const sending: Manner = async ({ args: [given, ...rest], context, run }) => {
  if (!isObject(given)) return run([given, ...rest])
  const gas = toQuantity(smaller(context.chain.pending().header.gasLimit, MAX_TRANSACTION_GAS))
  return run([{ ...(!has(given, 'gas') && { gas }), ...fromFirst(given, context) }, ...rest])
}

/** A plain transfer needs a unit more than it does. */
const estimating: Manner = async ({ args: [given, ...rest], context, run }) => {
  if (!isObject(given) || hasTwoPrices(given)) return run([given, ...rest])
  if (isPlainTransfer(given, context)) return toQuantity(TRANSACTION_GAS + 1n)
  return run([asCall(given, context), ...rest])
}

/** Nobody asks what the sender of a call has: it has what it sends. */
const calling: Manner = async ({ args: [given, block, overrides, ...rest], context, run }) => {
  const ask = (call: unknown, overridden: unknown) => run(upToLast([call, block, overridden, ...rest]))
  if (!isObject(given) || hasTwoPrices(given)) return ask(given, overrides)
  const call = asCall(given, context)
  const { from, value } = given
  const sends = bigIn(given, 'value') ?? 0n
  if (typeof from !== 'string' || sends === 0n) return ask(call, overrides)
  const sender = from.toLowerCase() as Address
  const balance = context.chain.pending().state.account(sender)?.balance ?? 0n
  if (balance >= sends) return ask(call, overrides)
  return ask(call, { [sender]: { balance: value }, ...(isObject(overrides) && overrides) })
}

/** Without what is left out at the end. */
function upToLast(args: readonly unknown[]): readonly unknown[] {
  return args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1)
}

/** A range of logs that is empty, or above the head, has no logs. */
const logs: Manner = async ({ args, context, run }) => {
  const [given] = args
  if (!isObject(given) || has(given, 'blockHash')) return run(args)
  const ranged = rangeOf(given, context)
  return ranged.kind === 'within' ? run([ranged.query]) : []
}

/** @throws {DialectRefusal} If automine could not mine it at once, for its price. */
function admit(tx: Transaction, context: CallerContext): void {
  const [cap, baseFee] = [feeCap(tx), baseFeeOf(context)]
  if (!context.control.automine || cap >= baseFee) return
  const name = tx.type < 2 ? 'gasPrice' : 'maxFeePerGas'
  const message = `Transaction ${name} (${cap}) is too low for the next block, which has a baseFeePerGas of ${baseFee}`
  throw new DialectRefusal({ code: ERROR_CODES.server, message })
}

export const HARDHAT: Dialect<CallerContext> = dialectFrom('hardhat', {
  lacks: lacksWallet,
  manners: {
    eth_sendTransaction: sending,
    eth_sendTransactionSync: sending,
    eth_call: calling,
    eth_estimateGas: estimating,
    eth_getLogs: logs,
  },
  admit,
  refuse,
})
