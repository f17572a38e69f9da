import { quote } from '../../spec/parse-option.ts'
import { cannotUnmarshal, jsonType, type Param, ParamError } from './param.ts'

const MAX_UINT64 = 2n ** 64n - 1n

/** `true` or `false`. */
export const boolean: Param<boolean> = {
  parse(value) {
    if (typeof value === 'boolean') return value
    throw cannotUnmarshal(jsonType(value), 'value of type bool')
  },
}

/** A number above `above`, up to `max`. */
export function numberWithin(above: number, max: number): Param<number> {
  return {
    parse(value) {
      if (typeof value !== 'number') throw cannotUnmarshal(jsonType(value), 'value of type float64')
      if (value > above && value <= max) return value
      throw new ParamError(`${value} is not above ${above} and at most ${max}`)
    },
  }
}

/** A whole number from `min` to `max`: JSON number, decimal text or quantity. */
export function integerWithin(min: number, max: number): Param<number> {
  return {
    parse(value) {
      const number = parseHexOrDecimal(value)
      if (number >= min && number <= max) return Number(number)
      throw new ParamError(`${number} is not a whole number from ${min} to ${max}`)
    },
  }
}

/** Geth's HexOrDecimal64: below 2^64. */
export const hexOrDecimal: Param<bigint> = { parse: parseHexOrDecimal }

function parseHexOrDecimal(value: unknown): bigint {
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw cannotUnmarshal(jsonType(value), 'value of type math.HexOrDecimal64')
  }
  const text = String(value)
  const number = /^(\d{1,20}|0x[0-9a-f]{1,16})$/i.test(text) ? BigInt(text) : undefined
  if (number === undefined || number > MAX_UINT64) {
    throw new ParamError(`invalid hex or decimal integer ${quote(text)}`)
  }
  return number
}

/** A list of JSON numbers. */
export const numbers: Param<readonly number[]> = {
  parse(value) {
    if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), 'value of type []float64')
    return value.map((item: unknown) => {
      if (typeof item !== 'number') throw cannotUnmarshal(jsonType(item), 'value of type float64')
      return item
    })
  },
}

/** Id of a subscription or a filter. */
export const rpcId: Param<string> = {
  parse(value) {
    if (typeof value === 'string') return value
    throw cannotUnmarshal(jsonType(value), 'value of type rpc.ID')
  },
}
