import { checksumAddress } from '../../crypto/checksum-address.ts'
import { keccak256Hex } from '../../crypto/keccak.ts'
import type { TransactionMessage } from '../../evm/message.ts'
import type { StateReader } from '../../state/state-reader.ts'
import { encodeTransaction } from '../../tx/encode.ts'
import { floorGas, intrinsicGas } from '../../tx/intrinsic-gas.ts'
import type { Transaction, UnsignedTransaction } from '../../tx/transaction.ts'
import { type SimulatedCall, SimulationError, type SimulationFailure } from './simulation.ts'

/** An account with this nonce can no longer send (EIP-2681). */
const MAX_NONCE = 2n ** 64n - 1n

/** A call with all fields filled in. */
export interface FilledCall extends SimulatedCall {
  readonly nonce: bigint
  readonly gas: bigint
}

/** The block of a simulated call. */
export interface CallTerms {
  readonly state: StateReader
  readonly chainId: number
  /** The most bytes of a contract's code. */
  readonly codeSizeLimit: number
  /** Wei per gas. */
  readonly baseFee: bigint
  readonly validation: boolean
}

/**
 * The message of a call that may be part of the block.
 *
 * @throws {SimulationError} For the first of geth's rules that it violates.
 */
export function toMessage(call: FilledCall, terms: CallTerms): TransactionMessage {
  if (terms.validation) checkNonce(call, terms.state)
  const { cap, tip } = capsOf(call)
  const free = !terms.validation && cap === 0n && tip === 0n
  if (!free) checkFees(call, cap, tip, terms.baseFee)
  checkShape(call, 2 * terms.codeSizeLimit)
  checkFunds(call, cap, terms.state)
  checkGas(call)
  const { from, to, gas, value, input, accessList, authorizationList } = call
  const gasPrice = free ? 0n : effectivePrice(call, terms.baseFee)
  const paid = free ? 0n : gasPrice - terms.baseFee
  return { from, to, gas, gasPrice, tip: paid, value, input, accessList, authorizationList }
}

/** The call as a transaction of the block, without a signature; its hash is that of its unsigned bytes. */
export function toTransaction(call: FilledCall, { chainId }: Pick<CallTerms, 'chainId'>): Transaction {
  const unsigned = toUnsigned(call, BigInt(chainId))
  const raw = encodeTransaction(unsigned, undefined)
  return { ...unsigned, raw, hash: keccak256Hex(raw), sender: call.from, yParity: 0, r: 0n, s: 0n }
}

function toUnsigned(call: FilledCall, chainId: bigint): UnsignedTransaction {
  const { nonce, gas, to, value, input, fees, accessList, authorizationList } = call
  const common = { nonce, gas, to, value, input }
  if ('gasPrice' in fees) return { type: 0, chainId: null, ...common, ...fees }
  if (authorizationList.length > 0) return { type: 4, chainId, ...common, ...fees, accessList, authorizationList }
  return { type: 2, chainId, ...common, ...fees, accessList }
}

function capsOf({ fees }: SimulatedCall): { readonly cap: bigint; readonly tip: bigint } {
  if ('gasPrice' in fees) return { cap: fees.gasPrice, tip: fees.gasPrice }
  return { cap: fees.maxFeePerGas, tip: fees.maxPriorityFeePerGas }
}

function effectivePrice({ fees }: SimulatedCall, baseFee: bigint): bigint {
  if ('gasPrice' in fees) return fees.gasPrice
  const price = baseFee + fees.maxPriorityFeePerGas
  return price < fees.maxFeePerGas ? price : fees.maxFeePerGas
}

function checkNonce(call: FilledCall, state: StateReader): void {
  const nonce = state.account(call.from)?.nonce ?? 0n
  const sender = `address ${checksumAddress(call.from)}`
  const detail = `${sender}, tx: ${call.nonce} state: ${nonce}`
  if (nonce < call.nonce) refuse(call, 'nonce-too-high', `nonce too high: ${detail}`)
  if (nonce > call.nonce) refuse(call, 'nonce-too-low', `nonce too low: ${detail}`)
  if (nonce === MAX_NONCE) refuse(call, 'nonce-max', `nonce has max value: ${sender}, nonce: ${nonce}`)
}

function checkFees(call: FilledCall, cap: bigint, tip: bigint, baseFee: bigint): void {
  if (cap < tip) {
    const detail = `address ${checksumAddress(call.from)}, maxPriorityFeePerGas: ${tip}, maxFeePerGas: ${cap}`
    refuse(call, 'invalid-params', `max priority fee per gas higher than max fee per gas: ${detail}`)
  }
  if (cap < baseFee) {
    const detail = `address ${checksumAddress(call.from)}, maxFeePerGas: ${cap}, baseFee: ${baseFee}`
    refuse(call, 'base-fee-too-low', `max fee per gas less than block base fee: ${detail}`)
  }
}

function checkShape(call: FilledCall, maxInitcode: number): void {
  const { to, input, authorizationList, from } = call
  if (to !== null) return
  if (authorizationList.length > 0) {
    refuse(
      call,
      'invalid-params',
      `EIP-7702 transaction cannot be used to create contract (sender ${checksumAddress(from)})`,
    )
  }
  if (input.length > maxInitcode) {
    const detail = `code size ${input.length} limit ${maxInitcode}`
    refuse(call, 'initcode-too-large', `max initcode size exceeded: ${detail}`)
  }
}

function checkFunds(call: FilledCall, cap: bigint, state: StateReader): void {
  const balance = state.account(call.from)?.balance ?? 0n
  const needed = call.gas * cap + call.value
  if (balance >= needed) return
  const detail = `address ${checksumAddress(call.from)} have ${balance} want ${needed}`
  refuse(call, 'insufficient-funds', `insufficient funds for gas * price + value: ${detail}`)
}

function checkGas(call: FilledCall): void {
  const intrinsic = intrinsicGas(call)
  if (call.gas < intrinsic) {
    refuse(call, 'intrinsic-gas', `intrinsic gas too low: have ${call.gas}, want ${intrinsic}`)
  }
  const floor = floorGas(call)
  if (call.gas < floor) {
    refuse(call, 'intrinsic-gas', `insufficient gas for floor data gas cost: have ${call.gas}, want ${floor}`)
  }
}

function refuse({ gas }: FilledCall, code: SimulationFailure, message: string): never {
  throw new SimulationError(code, `err: ${message} (supplied gas ${gas})`)
}
