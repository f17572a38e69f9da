import type { Address, Hex } from '#primitives/hex.ts'
import type { RpcCallFrame } from '#rpc-types/methods/debug.ts'
import { indexOf } from './abi-index.ts'
import { errorAddresses, raiserOf } from './call-tree.ts'
import { decodeParameters } from './decode-values.ts'
import type { Decoded } from './decoded.ts'
import { abisOf, type Contracts, knowledgeOf } from './knowledge.ts'

/** Why a call failed, as far as its bytes show. */
export type Revert =
  /** The contract gave no reason. */
  | { readonly kind: 'silent' }
  /** `require(false, 'text')`: the text comes from the contract. */
  | { readonly kind: 'text'; readonly text: string }
  /** A check built into Solidity failed. */
  | { readonly kind: 'panic'; readonly code: bigint; readonly meaning: string }
  /** An error that a contract defines, and the account in whose call it arose, if that is known. */
  | ({ readonly kind: 'custom'; readonly raisedBy: Address | null } & Decoded)
  | { readonly kind: 'unknown'; readonly data: Hex }
  /** The EVM stopped the call, with its own message, such as `out of gas`. */
  | { readonly kind: 'stopped'; readonly reason: string }

/** `Error(string)`. */
const ERROR_SELECTOR = '0x08c379a0'
/** `Panic(uint256)`. */
const PANIC_SELECTOR = '0x4e487b71'
const SELECTOR_END = 10

/** @see {@link https://docs.soliditylang.org/en/latest/control-structures.html | Solidity: Panic} */
const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'a panic that the compiler inserted'],
  [0x01n, 'a failed assertion'],
  [0x11n, 'a number became too large or too small for its type'],
  [0x12n, 'a division by zero'],
  [0x21n, 'a number outside the enum'],
  [0x22n, 'a wrongly encoded byte array in storage'],
  [0x31n, 'pop() of an empty array'],
  [0x32n, 'an index outside the array'],
  [0x41n, 'too much memory requested'],
  [0x51n, 'a call of a function variable that was never set'],
])

/**
 * Decodes the data of a reverted call.
 *
 * @param addresses - Contracts whose errors it may be: the called one, then those it called, whose errors it may have
 * passed on.
 * @param raisedBy - The account in whose call the error arose: the called one, as far as is known.
 */
export function decodeRevert(
  contracts: Contracts,
  addresses: readonly (Address | null)[],
  data: Hex,
  raisedBy = addresses[0] ?? null,
): Revert {
  if (data === '0x') return { kind: 'silent' }
  const selector = data.slice(0, SELECTOR_END).toLowerCase() as Hex
  const body: Hex = `0x${data.slice(SELECTOR_END)}`
  if (selector === ERROR_SELECTOR) {
    const text = decodeParameters([{ type: 'string' }], body)?.args[0]?.value
    if (text?.kind === 'text') return text
  }
  if (selector === PANIC_SELECTOR) {
    const code = decodeParameters([{ type: 'uint256' }], body)?.args[0]?.value
    if (code?.kind === 'integer') {
      return {
        kind: 'panic',
        code: code.integer,
        meaning: PANICS.get(code.integer) ?? 'a code that Solidity does not define',
      }
    }
  }
  const custom = decodeCustom(contracts, addresses, selector, body)
  return custom ? { kind: 'custom', ...custom, raisedBy } : { kind: 'unknown', data }
}

function decodeCustom(
  contracts: Contracts,
  addresses: readonly (Address | null)[],
  selector: Hex,
  body: Hex,
): Decoded | undefined {
  for (const { abi, source } of errorsOf(contracts, addresses, selector)) {
    const entry = indexOf(abi).errors.get(selector)
    const decoded = entry && decodeParameters(entry.inputs, body)
    if (!decoded || (source.kind === 'standard' && !decoded.exact)) continue
    return { name: entry.name, signature: entry.signature, args: decoded.args, source }
  }
  return undefined
}

/** All that the page knows of these contracts, then guesses. */
function* errorsOf(contracts: Contracts, addresses: readonly (Address | null)[], selector: Hex) {
  for (const address of addresses) yield* abisOf(contracts, address)
  yield* knowledgeOf(contracts, undefined, selector)
}

/** The tracer's error for a call that a contract reverted. */
const REVERTED = 'execution reverted'

/** Why a call of a trace failed. */
export function decodeFailure(contracts: Contracts, frame: RpcCallFrame): Revert {
  if (frame.error !== undefined && frame.error !== REVERTED) return { kind: 'stopped', reason: frame.error }
  return decodeRevert(contracts, errorAddresses(frame), frame.output ?? '0x', raiserOf(frame))
}
