import { bytesToHex } from '#primitives/hex.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import { CallFailedError, type CallFailure } from '../../evm/calls/call.ts'
import { SimulationError, type SimulationFailure } from '../../payload/simulation/simulation.ts'
import { ControlRefusedError } from '../../sequencer/control-refused.ts'
import { TxRejectedError, type TxRejection } from '../../tx/rejection.ts'
import { decodeString, readRevert, SELECTOR_BYTES } from '../calls/revert-reason.ts'
import type { CallerContext } from '../define-method.ts'
import { RpcRefusedError, toErrorObject } from '../errors.ts'
import { DialectRefusal, type RefusedCall } from './dialect.ts'
import { askedBlock } from './shared.ts'

/** Anvil's codes for refusals. */
export const CODES = {
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
  // A cap below the base fee is no reason.
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
  [
    /hex string (of odd|has) length .*common\.(?:Hash|Address)$/,
    ([, fault]) => [CODES.badParams, fault === 'has' ? 'invalid string length' : 'odd number of digits'],
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
export const outOfRange = (asked: number, head: number): JsonRpcErrorObject => ({
  code: CODES.badParams,
  message: `BlockOutOfRangeError: block height is ${head} but requested was ${asked}`,
})

export function refuse(
  error: unknown,
  { params }: RefusedCall,
  context: CallerContext,
): JsonRpcErrorObject | undefined {
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
