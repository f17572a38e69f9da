import { ProviderRpcError } from '#client/provider.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { type Explanation, explainError } from '#ui/format/explain-error.ts'

/** What a code means for the one who typed the request. */
const MEANINGS: Readonly<Record<number, string>> = {
  [ERROR_CODES['invalid-request']]: 'The request is not one of JSON-RPC.',
  [ERROR_CODES['method-not-found']]: 'The node has no method of this name. Look for it in the list of methods.',
  [ERROR_CODES['invalid-params']]: 'A parameter is missing or not of its type. Compare with the list of parameters.',
  [ERROR_CODES.internal]: 'The node failed at something that it should have been able to do.',
  [ERROR_CODES.reverted]: 'The call ran and the contract undid it. The data below is its reason, ABI-encoded.',
  [ERROR_CODES.timeout]: 'The transaction was accepted, but was not included before the time was up.',
  [ERROR_CODES['limit-exceeded']]: 'The answer would go beyond a limit of the node. Ask for less at once.',
  [ERROR_CODES.unauthorized]: 'The node has no key for this account. Choose one of its own, or impersonate it.',
  [ERROR_CODES['unsupported-method']]: 'The wallet does not do this.',
  [ERROR_CODES['unrecognized-chain']]: 'There is one chain here, and its id is another.',
}

/** What the node refused and why, for a request that somebody typed. */
export function explainRefusal(error: unknown): Explanation {
  const meaning = error instanceof ProviderRpcError ? MEANINGS[error.code] : undefined
  const { what, why } = explainError(error)
  return { what, why: meaning ?? why }
}
