import { parseData } from '../params/hex-params.ts'
import { type Param, ParamError } from '../params/param.ts'

/**
 * Bytes of code that a call may pretend or a development method may set, far more than a contract can have. The EVM looks
 * for jump destinations in all of it at once, which takes a tenth of a second for this much.
 */
const MAX_CODE_BYTES = 524_288

/**
 * An account's code.
 *
 * @throws {ParamError} If it is no bytes, or too many.
 */
export function parseCode(value: unknown, field?: string): Uint8Array {
  const code = parseData(value, field)
  if (code.length > MAX_CODE_BYTES) {
    throw new ParamError(`max code size exceeded: code size ${code.length} limit ${MAX_CODE_BYTES}`)
  }
  return code
}

/** An account's code, as a parameter of its own. */
export const code: Param<Uint8Array> = { parse: (value) => parseCode(value) }
