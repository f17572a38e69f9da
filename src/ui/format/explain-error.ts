import { ProviderRpcError } from '#client/session/provider.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { isMissingScript } from './missing-script.ts'

/** An error explained in plain words. */
export interface ErrorWords {
  /** The action that failed. */
  readonly what: string
  /** Why, and what to do about it. */
  readonly why: string
}

/** A failure that the page itself found and can explain. */
export class ExplainedError extends Error {
  override readonly name = 'ExplainedError'
  readonly why: string

  constructor(what: string, why: string, options?: ErrorOptions) {
    super(what, options)
    this.why = why
  }
}

/** Start of a node's message → its explanation. */
const CAUSES: readonly (readonly [message: string, why: string])[] = [
  [
    'insufficient funds',
    'The balance does not cover the amount, the gas and the account’s transactions in the mempool. Send less, or send from another account.',
  ],
  [
    'nonce too low',
    'Another transaction from this account has already used the nonce. Send again with the next nonce.',
  ],
  [
    'already known',
    'Exactly this transaction is already in the mempool or in the pending block. There is nothing left to do.',
  ],
  [
    'replacement transaction underpriced',
    'A transaction with this nonce is in the mempool. To replace it, raise both fees by at least 10%.',
  ],
  ['txpool is full', 'The mempool is full. Wait for the next partial blocks, then send again.'],
  [
    'not stored',
    'It could not be stored, so it was not accepted. Export the chain, free some space or start fresh, then try again.',
  ],
  ['execution reverted', 'The contract refused the call. Check the amount and the recipient.'],
]

/** Explains what failed, why, and what to do; keeps the node's own message. */
export function explainError(error: unknown): ErrorWords {
  if (error instanceof ExplainedError) return { what: error.message, why: error.why }
  if (error instanceof ProviderRpcError) {
    if (error.code === ERROR_CODES.disconnected) {
      return { what: 'The node is not running.', why: 'It stopped before it could answer. Restart it and try again.' }
    }
    const cause = CAUSES.find(([message]) => error.message.startsWith(message))
    return {
      what: `The node refused: ${error.message} (${error.code}).`,
      why: cause?.[1] ?? 'Nothing was changed on the chain.',
    }
  }
  if (isMissingScript(error)) {
    return { what: 'A part of the page could not be loaded.', why: 'Check the connection, then reload the page.' }
  }
  const text = error instanceof Error ? error.message : String(error)
  return { what: `Unexpected error: ${text}`, why: 'This is a bug in the page. Reload it and try again.' }
}
