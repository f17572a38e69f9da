import { ProviderRpcError } from '#client/session/provider.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { AskedCall, SigningRequest } from './wallet-requests.ts'

/** A call that needs an account's signature. */
export interface SigningCall {
  readonly request: SigningRequest
  /** As the dapp gave them, with the sender where it named none. */
  readonly params: readonly unknown[]
}

type Parser = (params: readonly unknown[], own: Address) => SigningCall

const signMessage =
  (accountAt: number, messageAt: number): Parser =>
  (params) => {
    const message = params[messageAt]
    if (typeof message !== 'string') throw invalid(messageAt, 'a message is a string')
    return { params, request: { kind: 'message', account: addressAt(params, accountAt), message: readable(message) } }
  }

const signTypedData: Parser = (params) => ({
  params,
  request: { kind: 'typed-data', account: addressAt(params, 0), typedData: parsed(params[1]) },
})

const transaction =
  (sent: boolean): Parser =>
  (params, own) => {
    const fields = objectAt(params, 0)
    const account = address(fields['from'] ?? own, 0)
    return {
      params: [{ ...fields, from: account }, ...params.slice(1)],
      request: { kind: 'transactions', account, sent, calls: [askedCall(fields)] },
    }
  }

const bundle: Parser = (params, own) => {
  const fields = objectAt(params, 0)
  const account = address(fields['from'] ?? own, 0)
  const { calls } = fields
  if (!Array.isArray(calls)) throw invalid(0, 'calls is a list')
  return {
    params: [{ ...fields, from: account }, ...params.slice(1)],
    request: {
      kind: 'transactions',
      account,
      sent: true,
      calls: (calls as readonly unknown[]).map((call) => askedCall(object(call, 0))),
    },
  }
}

/** Methods for which the person is asked. */
const PARSERS: Readonly<Record<string, Parser>> = {
  personal_sign: signMessage(1, 0),
  eth_sign: signMessage(0, 1),
  eth_signTypedData: signTypedData,
  eth_signTypedData_v3: signTypedData,
  eth_signTypedData_v4: signTypedData,
  eth_signTransaction: transaction(false),
  eth_sendTransaction: transaction(true),
  wallet_sendCalls: bundle,
}

/** Signed by the dapp itself: nobody needs to be asked. */
const SIGNED_ALREADY: ReadonlySet<string> = new Set(['eth_sendRawTransaction', 'eth_sendRawTransactionSync'])

/** Names of methods that have a node sign; what is called so and unknown here is refused rather than let through. */
const SIGNS = /^[a-z]+_(sign|send)/

/**
 * The content that a call would have an account sign; `undefined` if it needs no signature.
 *
 * @param own - The sender, where the dapp names none.
 * @throws {ProviderRpcError} With -32602 if the parameters make no sense, with 4200 if the wallet does not sign so.
 */
export function signingCall(method: string, params: readonly unknown[], own: Address): SigningCall | undefined {
  const parse = Object.hasOwn(PARSERS, method) ? PARSERS[method] : undefined
  if (parse) return parse(params, own)
  if (!SIGNS.test(method) || SIGNED_ALREADY.has(method)) return undefined
  throw new ProviderRpcError(ERROR_CODES['unsupported-method'], `the wallet does not support ${method}`)
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

function addressAt(params: readonly unknown[], position: number): Address {
  return address(params[position], position)
}

function address(value: unknown, position: number): Address {
  if (typeof value !== 'string' || !/^0x[\da-f]{40}$/i.test(value)) throw invalid(position, 'not an address')
  return value.toLowerCase() as Address
}

function objectAt(params: readonly unknown[], position: number): Readonly<Record<string, unknown>> {
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

/** Typed data comes as an object or as its JSON text. */
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

/** The text that hex stands for, where it is text; anything else as it came. */
function readable(message: string): string {
  if (!/^0x([\da-f]{2})+$/i.test(message)) return message
  const digits = message.slice(2)
  const raw = Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  )
  const text = new TextDecoder().decode(raw)
  // U+FFFD stands where the bytes are no UTF-8; control characters would hide what is signed.
  return /[\uFFFD\p{Cc}]/u.test(text.replaceAll(/[\n\r\t]/g, '')) ? message : text
}
