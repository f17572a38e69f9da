import { type Hash, toWord } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { momentMs, momentSeconds } from '#primitives/unix-time.ts'
import { quote } from '../../../spec/parse-option.ts'
import { cannotUnmarshal, jsonType, type Param, ParamError } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'

/** Seconds since the Unix epoch; in milliseconds they are safe integers still. */
const MAX_TIMESTAMP = 2 ** 42

/** An unsigned integer as development nodes take it: a JSON number, decimal or hexadecimal text, zeros in front or not. */
export function amount(bits: number): Param<bigint> {
  return {
    parse(value) {
      const number = parseAmount(value)
      if (number < 2n ** BigInt(bits)) return number
      throw new ParamError(`${number} has more than ${bits} bits`)
    },
  }
}

function parseAmount(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^(\d{1,78}|0x[0-9a-f]{1,64})$/i.test(value)) return BigInt(value)
  if (typeof value === 'number' || typeof value === 'string') {
    throw new ParamError(`${quote(value)} is not an unsigned integer`)
  }
  throw cannotUnmarshal(jsonType(value), 'value of type *hexutil.Big')
}

/** Wei. */
export const wei = amount(256)

/** The id of a snapshot. */
export const snapshotId = amount(64)

/** A 32-byte word, shorter ones with zeros in front. */
export const word: Param<Hash> = { parse: (value) => toWord(amount(256).parse(value)) }

/** A moment in seconds or in milliseconds since the Unix epoch; in seconds. */
export const timestamp: Param<number> = { parse: (value) => momentSeconds(parseMoment(value)) }

/** Seconds from one moment to another. */
export const seconds = integerWithin(0, 2 ** 32)

/** A moment in seconds or in milliseconds since the Unix epoch; in milliseconds. */
export const moment: Param<number> = { parse: (value) => momentMs(parseMoment(value)) }

const { parse: parseMoment } = integerWithin(0, MAX_TIMESTAMP * 1000)

/** The parameter of `evm_mine`: a timestamp, or an object with it or with a number of blocks. */
export const mineOptions: Param<{ readonly timestamp: number | undefined; readonly blocks: number | undefined }> = {
  parse(value) {
    if (!isObject(value)) return { timestamp: timestamp.parse(value), blocks: undefined }
    const given = <Parsed>(param: Param<Parsed>, field: unknown) =>
      field === undefined || field === null ? undefined : param.parse(field)
    return { timestamp: given(timestamp, value['timestamp']), blocks: given(blockCount, value['blocks']) }
  },
}

/** Blocks of one call. Each is really made and kept; other calls are answered between them. */
const MAX_BLOCKS = 100_000

/** Blocks to mine. */
export const blockCount: Param<number> = {
  parse(value) {
    const count = integerWithin(0, Number.MAX_SAFE_INTEGER).parse(value)
    if (count <= MAX_BLOCKS) return count
    throw new ParamError(`${count} blocks are too many for one call, mine at most ${MAX_BLOCKS} at a time`)
  },
}
