import { ProviderRpcError } from '#client/session/provider.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { MAX_BUNDLED_CALLS } from '#rpc-types/batch-delegate.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { Approval } from '#rpc-types/method.ts'
import { APPROVALS, SIGNED_ALREADY } from './approvals.derived.ts'
import type { AskedCall, SigningRequest } from './wallet-requests.ts'

/** A call that needs an account's signature. */
export interface SigningCall {
  readonly request: SigningRequest
  /** The bundle of calls (EIP-5792) that it is, with its sender. */
  readonly bundle?: AskedBundle
  /** The dapp's parameters, with the sender added if it named none. */
  readonly params: readonly unknown[]
}

/** What a dapp asks of a bundle of calls. */
export interface AskedBundle {
  readonly account: Address
  /** The only parameter of the call. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly calls: readonly AskedCall[]
}

type Parameters = readonly unknown[]

/** What a call asks the person, by what the contract says of its method. */
function approvalCall(approval: Approval, params: Parameters, own: Address): SigningCall {
  switch (approval.asks) {
    case 'message': {
      const message = params[approval.message]
      if (typeof message !== 'string') throw invalid(approval.message, 'a message is a string')
      const account = addressAt(params, approval.account)
      return { params, request: { kind: 'message', account, message: readable(message) } }
    }
    case 'typed-data':
      return {
        params,
        request: { kind: 'typed-data', account: addressAt(params, 0), typedData: parsed(params[1]) },
      }
    case 'transaction': {
      const fields = objectAt(params, 0)
      const account = address(fields['from'] ?? own, 0)
      return {
        params: [{ ...fields, from: account }, ...params.slice(1)],
        request: { kind: 'transactions', account, sent: approval.sent, calls: [askedCall(fields)] },
      }
    }
    case 'calls': {
      const fields = objectAt(params, 0)
      const account = address(fields['from'] ?? own, 0)
      if (!Array.isArray(fields['calls'])) throw invalid(0, 'calls is a list')
      const listed = fields['calls'] as readonly unknown[]
      if (listed.length > MAX_BUNDLED_CALLS) {
        const message = `too many calls, want at most ${MAX_BUNDLED_CALLS}`
        throw new ProviderRpcError(ERROR_CODES['bundle-too-large'], message)
      }
      const calls = listed.map((call) => askedCall(object(call, 0)))
      const asked = { ...fields, from: account }
      return {
        params: [asked, ...params.slice(1)],
        request: { kind: 'transactions', account, sent: true, calls },
        bundle: { account, fields: asked, calls },
      }
    }
    default:
      return approval satisfies never
  }
}

/**
 * Matches methods that make a node sign, and the one that says whether a person is asked before an account is delegated. Those
 * that nobody is asked about are refused rather than passed on.
 */
const SIGNS = /^[a-z]+_(sign|(re)?send|setAtomic)/

/**
 * What a call asks an account to sign; `undefined` if it needs no signature.
 *
 * @param own - The sender, if the dapp names none.
 * @throws {ProviderRpcError} With -32602 if the parameters are invalid, with -32601 if there is no such method: viem tries
 * `wallet_sendTransaction` after some refusals of `eth_sendTransaction`, and shows the refusal only then.
 */
export function signingCall(method: string, params: Parameters, own: Address): SigningCall | undefined {
  const approval = Object.hasOwn(APPROVALS, method) ? APPROVALS[method] : undefined
  if (approval) return approvalCall(approval, params, own)
  if (!SIGNS.test(method) || SIGNED_ALREADY.includes(method)) return undefined
  throw new ProviderRpcError(ERROR_CODES['method-not-found'], `the wallet does not support ${method}`)
}

function askedCall(fields: Readonly<Record<string, unknown>>): AskedCall {
  const { to, value, input, data } = fields
  return {
    to: to === undefined || to === null ? null : address(to, 0),
    value: quantity(value ?? '0x0'),
    data: bytes(input ?? data ?? '0x'),
  }
}

function invalid(position: number, why: string): ProviderRpcError {
  return new ProviderRpcError(ERROR_CODES['invalid-params'], `invalid argument ${position}: ${why}`)
}

function addressAt(params: Parameters, position: number): Address {
  return address(params[position], position)
}

function address(value: unknown, position: number): Address {
  if (typeof value !== 'string' || !/^0x[\da-f]{40}$/i.test(value)) throw invalid(position, 'not an address')
  return value.toLowerCase() as Address
}

function objectAt(params: Parameters, position: number): Readonly<Record<string, unknown>> {
  return object(params[position], position)
}

function object(value: unknown, position: number): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(position, 'not an object')
  return value as Readonly<Record<string, unknown>>
}

function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[\da-f]{1,64}$/i.test(value)) throw invalid(0, 'value is not a quantity')
  return BigInt(value)
}

function bytes(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x([\da-f]{2})*$/i.test(value)) throw invalid(0, 'data is not a hex string')
  return value as Hex
}

/** Parses typed data, which is an object or its JSON text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch (error) {
    throw new ProviderRpcError(ERROR_CODES['invalid-params'], 'invalid argument 1: typed data is not JSON', {
      cause: error,
    })
  }
}

/** The text behind a hex string, if it is readable; otherwise the message unchanged. */
function readable(message: string): string {
  if (!/^0x([\da-f]{2})+$/i.test(message)) return message
  const digits = message.slice(2)
  const raw = Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  )
  const text = new TextDecoder().decode(raw)
  // U+FFFD marks bytes that are not UTF-8; control characters could hide what is signed.
  return /[\uFFFD\p{Cc}]/u.test(text.replaceAll(/[\n\r\t]/g, '')) ? message : text
}
