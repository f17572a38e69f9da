import { ProviderRpcError } from '#client/session/provider.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { type ErrorWords, explainError } from '#ui/format/explain-error.ts'

/** Explanations of error codes for the person who typed the request. */
const MEANINGS: Readonly<Record<number, string>> = {
  [ERROR_CODES['invalid-request']]: 'This is not a JSON-RPC request.',
  [ERROR_CODES['method-not-found']]: 'The node has no method of this name. Look for it in the list of methods.',
  [ERROR_CODES['invalid-params']]:
    'A parameter is missing or has the wrong type. Compare it with the list of parameters.',
  [ERROR_CODES.internal]: 'Something went wrong inside the node.',
  [ERROR_CODES.reverted]: 'The contract reverted the call. The data below is the reason, ABI-encoded.',
  [ERROR_CODES.timeout]: 'The transaction was accepted, but it was not included before the timeout.',
  [ERROR_CODES['limit-exceeded']]: 'The node has reached a limit. Wait, or free something.',
  [ERROR_CODES.unauthorized]: 'The node has no key for this account. Choose one of its own, or impersonate it.',
  [ERROR_CODES['unsupported-method']]: 'The wallet does not support this method.',
  [ERROR_CODES['unrecognized-chain']]: 'This page has a single chain, and its id is different.',
}

/** Explains geth's messages about wrong parameters, which name Go types, in plain words. */
function wrongParameter(error: unknown): string | undefined {
  if (!(error instanceof ProviderRpcError)) return undefined
  const { message } = error
  const [, missing] = /^missing value for required argument (\d+)/.exec(message) ?? []
  if (missing !== undefined) return `Parameter ${Number(missing) + 1} is missing.`
  const [, most] = /^too many arguments, want at most (\d+)/.exec(message) ?? []
  if (most !== undefined) return `There are too many parameters: the method takes ${most === '0' ? 'none' : most}.`
  const [, position, problem = ''] = /^invalid argument (\d+): (.*)/s.exec(message) ?? []
  if (position === undefined) return undefined
  const [, given = problem, field] =
    /^json: cannot unmarshal (.+) into Go (?:struct field \w+\.(\w+)|value) of type/.exec(problem) ?? []
  const subject = `${field === undefined ? 'Parameter' : `Field “${field}” of parameter`} ${Number(position) + 1}`
  const kind = GIVEN[given]
  if (kind !== undefined) {
    return `${subject} has the wrong type: ${kind} does not fit. Compare it with the list of parameters.`
  }
  const [, length, wanted] = /^hex string has length (\d+), want (\d+) for/.exec(given) ?? []
  if (wanted !== undefined) {
    return `${subject} must have ${wanted} hexadecimal digits after 0x, but it has ${length}.`
  }
  const [, bits] = /^hex number > (\d+) bits/.exec(given) ?? []
  if (bits !== undefined) return `${subject} is too large: the number must fit into ${bits} bits.`
  const fault = HEX_FAULTS[given]
  return fault && `${subject} ${fault}`
}

const GIVEN: Readonly<Record<string, string>> = {
  bool: 'true or false',
  number: 'a number without quotes',
  string: 'a text',
  array: 'a list',
  object: 'an object',
  null: 'null',
  'non-string': 'a value without quotes',
}

/** geth's messages about malformed hexadecimal text. */
const HEX_FAULTS: Readonly<Record<string, string>> = {
  'hex string without 0x prefix': 'must start with 0x.',
  'hex string of odd length': 'has an odd number of hexadecimal digits. Each byte takes two.',
  'invalid hex string': 'contains a character that is not a hexadecimal digit.',
  'empty hex string': 'is empty. Enter a hexadecimal number, such as "0x1f".',
  'hex string "0x"': 'has no digits after 0x. Zero is "0x0".',
  'hex number with leading zero digits': 'has leading zeros. Write "0x1f", not "0x001f".',
}

/** Explains the node's refusal of a typed request. */
export function explainRefusal(error: unknown): ErrorWords {
  const meaning = error instanceof ProviderRpcError ? MEANINGS[error.code] : undefined
  const { what, why } = explainError(error)
  return { what, why: wrongParameter(error) ?? meaning ?? why }
}
