import { parseData } from '../params/hex-params.ts'
import { type Param, ParamError } from '../params/param.ts'

/**
 * Longest code, in bytes, that a call may override or a development method may set; far more than a contract can have.
 * The EVM analyses all of it at once for jump destinations, a tenth of a second for this much.
 */
const MAX_CODE_BYTES = 524_288

/**
 * Parses an account's code.
 *
 * @throws {ParamError} If it is not bytes, or too long.
 */
export function parseCode(value: unknown, field?: string): Uint8Array {
  const code = parseData(value, field)
  if (code.length > MAX_CODE_BYTES) {
    throw new ParamError(`max code size exceeded: code size ${code.length} limit ${MAX_CODE_BYTES}`)
  }
  return code
}

/** An account's code as a parameter. */
export const code: Param<Uint8Array> = { parse: (value) => parseCode(value) }
