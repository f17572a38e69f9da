import { ProviderRpcError } from '#client/provider.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { type Explanation, explainError } from '#ui/format/explain-error.ts'

/** What a code means for the one who typed the request. */
const MEANINGS: Readonly<Record<number, string>> = {
  [ERROR_CODES['invalid-request']]: 'This is not a JSON-RPC request.',
  [ERROR_CODES['method-not-found']]: 'The node has no method of this name. Look for it in the list of methods.',
  [ERROR_CODES['invalid-params']]:
    'A parameter is missing or has the wrong type. Compare it with the list of parameters.',
  [ERROR_CODES.internal]: 'Something went wrong inside the node.',
  [ERROR_CODES.reverted]: 'The contract reverted the call. The data below is the reason, ABI-encoded.',
  [ERROR_CODES.timeout]: 'The transaction was accepted, but it was not included before the timeout.',
  [ERROR_CODES['limit-exceeded']]: 'The answer would exceed a limit of the node. Ask for less at once.',
  [ERROR_CODES.unauthorized]: 'The node has no key for this account. Choose one of its own, or impersonate it.',
  [ERROR_CODES['unsupported-method']]: 'The wallet does not support this method.',
  [ERROR_CODES['unrecognized-chain']]: 'This page has a single chain, and its id is different.',
}

/** geth's words for a wrong parameter, which name Go's types, in plain ones. */
function wrongParameter(error: unknown): string | undefined {
  if (!(error instanceof ProviderRpcError)) return undefined
  const [, missing] = /^missing value for required argument (\d+)/.exec(error.message) ?? []
  if (missing !== undefined) return `Parameter ${Number(missing) + 1} is missing.`
  const [, position, given] = /^invalid argument (\d+): json: cannot unmarshal (\w+)/.exec(error.message) ?? []
  if (position === undefined || given === undefined) return undefined
  const noun = GIVEN[given] ?? given
  return `Parameter ${Number(position) + 1} has the wrong type: ${noun} does not fit. Compare it with the list of parameters.`
}

const GIVEN: Readonly<Record<string, string>> = {
  bool: 'true or false',
  number: 'a number without quotes',
  string: 'a text',
  array: 'a list',
  object: 'an object',
  'non-string': 'a value without quotes',
}

/** What the node refused and why, for a request that somebody typed. */
export function explainRefusal(error: unknown): Explanation {
  const meaning = error instanceof ProviderRpcError ? MEANINGS[error.code] : undefined
  const { what, why } = explainError(error)
  return { what, why: wrongParameter(error) ?? meaning ?? why }
}
