import { bytesToBigInt } from '#primitives/bytes.ts'
import { hexToBytes, toWord } from '#primitives/hex.ts'
import type { JsonObject } from '#primitives/json-object.ts'
import type { Build } from '#solidity/build/build.ts'
import { optionalText } from '#solidity/build/json.ts'
import { keccak256 } from '#solidity/keccak.ts'
import { nodeIn, nodesIn } from '#solidity/source/ast-nodes.ts'
import { wordTypeOf } from '#solidity/types/word-type.ts'
import { contentText, cut, TEXT_LIMIT, type WordType, wordText } from '#solidity/value-words.ts'

/** Deepest nesting of expressions, constants that name other constants included. */
const DEPTH_LIMIT = 64
/** Most expressions evaluated for one constant: each of two may name another twice. */
const LOOK_LIMIT = 1_000
/** A number, whatever its type, or the bytes of a text or of a `bytesN`. */
type Value = bigint | Uint8Array

/**
 * The value of a constant as text, as far as its expression is simple: literals, other constants, conversions, arithmetic,
 * `type(T).max`, values of enums, and the hash of a text.
 *
 * @param variable - Its declaration in the AST.
 * @param constantAt - The declaration of a constant by its id.
 * @returns `undefined` if the value is not certain.
 */
export function constantText(
  build: Build,
  variable: JsonObject,
  constantAt: (id: unknown) => JsonObject | undefined,
): string | undefined {
  const reader = new Reader(build, constantAt)
  const value = reader.constant(variable, 0)
  if (value === undefined) return undefined
  const typeId = typeIdOf(variable)
  if (/^t_(?:string|bytes)_/.test(typeId)) {
    return typeof value === 'bigint' ? undefined : cut(contentText(typeId.startsWith('t_string'), value))
  }
  const type = wordTypeOf(build, typeId)
  return type && wordText(type, wordOf(value))
}

class Reader {
  readonly #build: Build
  readonly #constantAt: (id: unknown) => JsonObject | undefined
  #left = LOOK_LIMIT

  constructor(build: Build, constantAt: (id: unknown) => JsonObject | undefined) {
    this.#build = build
    this.#constantAt = constantAt
  }

  /** The value that a constant is given, in its own type. */
  constant(variable: JsonObject, depth: number): Value | undefined {
    const given = nodeIn(variable, 'value')
    const value = given && this.#evaluate(given, depth + 1)
    return value === undefined ? undefined : this.#fit(value, typeIdOf(variable))
  }

  #evaluate(node: JsonObject, depth: number): Value | undefined {
    if (depth > DEPTH_LIMIT || this.#left-- <= 0) return undefined
    // The compiler has computed what has only literals in it.
    const [, sign, digits] = /^t_rational_(minus_)?(\d{1,80})_by_1$/.exec(typeIdOf(node)) ?? []
    if (digits !== undefined) return sign === undefined ? BigInt(digits) : -BigInt(digits)
    switch (node['nodeType']) {
      case 'Literal':
        return literal(node)
      case 'Identifier':
      case 'MemberAccess': {
        const named = this.#constantAt(node['referencedDeclaration'])
        return named ? this.constant(named, depth) : this.#member(node)
      }
      case 'TupleExpression': {
        const [inner, ...others] = nodesIn(node, 'components')
        return inner && others.length === 0 ? this.#evaluate(inner, depth + 1) : undefined
      }
      case 'FunctionCall':
        return this.#call(node, depth)
      case 'UnaryOperation': {
        const of = nodeIn(node, 'subExpression')
        const value = of && this.#evaluate(of, depth + 1)
        if (typeof value !== 'bigint') return undefined
        if (node['operator'] === '!') return value === 0n ? 1n : 0n
        if (node['operator'] === '-') return this.#within(-value, node)
        return node['operator'] === '~' ? this.#within(this.#wrap(~value, node), node) : undefined
      }
      case 'BinaryOperation': {
        const [left, right] = ['leftExpression', 'rightExpression'].map((side) => nodeIn(node, side))
        const a = left && this.#evaluate(left, depth + 1)
        const b = right && this.#evaluate(right, depth + 1)
        if (typeof a !== 'bigint' || typeof b !== 'bigint') return undefined
        const value = operate(optionalText(node['operator']) ?? '', a, b)
        if (value === undefined) return undefined
        return this.#within(node['operator'] === '<<' ? this.#wrap(value, node) : value, node)
      }
      default:
        return undefined
    }
  }

  #call(node: JsonObject, depth: number): Value | undefined {
    const [argument, ...others] = nodesIn(node, 'arguments')
    const callee = nodeIn(node, 'expression')
    if (!argument || !callee || others.length > 0) return undefined
    const isHash = callee['nodeType'] === 'Identifier' && callee['name'] === 'keccak256' && isBuiltIn(callee)
    const isConversion = node['kind'] === 'typeConversion'
    const isWrap =
      callee['nodeType'] === 'MemberAccess' && /^(?:un)?wrap$/.test(optionalText(callee['memberName']) ?? '')
    if (!isHash && !isConversion && !(isWrap && typeIdOf(callee).includes('wrap_'))) return undefined
    const value = this.#evaluate(argument, depth + 1)
    if (value === undefined) return undefined
    if (!isHash) return isConversion ? this.#convert(value, node) : this.#fit(value, typeIdOf(node))
    return typeof value === 'bigint' ? undefined : hexToBytes(keccak256(value))
  }

  /** `type(T).max`, `type(T).min`, or a value of an enum. */
  #member(node: JsonObject): Value | undefined {
    const name = optionalText(node['memberName']) ?? ''
    const type = wordTypeOf(this.#build, typeIdOf(node))
    const of = nodeIn(node, 'expression')
    if (!type || !of) return undefined
    const ofId = typeIdOf(of)
    if (type.kind === 'enum' && ofId.startsWith('t_type$_t_enum')) {
      const index = type.names.indexOf(name)
      return index < 0 ? undefined : BigInt(index)
    }
    if (!ofId.startsWith('t_magic_meta_type') || (name !== 'max' && name !== 'min')) return undefined
    if (type.kind === 'enum') return name === 'min' ? 0n : BigInt(type.names.length - 1)
    const range = rangeOf(type)
    return range?.[name === 'max' ? 1 : 0]
  }

  /** An explicit conversion, which may cut. */
  #convert(value: Value, node: JsonObject): Value | undefined {
    const type = wordTypeOf(this.#build, typeIdOf(node))
    if (!type) return /^t_(?:string|bytes)_/.test(typeIdOf(node)) ? value : undefined
    if (type.kind === 'bytes') {
      if (typeof value === 'bigint') return endOf(value, type.size)
      return padded(value.subarray(0, type.size), type.size)
    }
    const number = typeof value === 'bigint' ? value : bytesToBigInt(value)
    return this.#within(this.#wrap(number, node), node)
  }

  /** A value as the compiler takes it for a variable of the type. */
  #fit(value: Value, typeId: string): Value | undefined {
    if (/^t_(?:string|bytes)_/.test(typeId)) return typeof value === 'bigint' ? undefined : value
    const type = wordTypeOf(this.#build, typeId)
    if (type?.kind === 'bytes') {
      if (typeof value !== 'bigint') return value.length > type.size ? undefined : padded(value, type.size)
      // A hexadecimal number with as many digits as the type has, or 0.
      return value < 0n || value >> BigInt(8 * type.size) !== 0n ? undefined : endOf(value, type.size)
    }
    const range = type && rangeOf(type)
    return range && typeof value === 'bigint' && value >= range[0] && value <= range[1] ? value : undefined
  }

  /** `undefined` if a number does not fit the type of its expression: then the code fails instead. */
  #within(value: bigint, node: JsonObject): bigint | undefined {
    const type = wordTypeOf(this.#build, typeIdOf(node))
    const range = type && rangeOf(type)
    return range && value >= range[0] && value <= range[1] ? value : undefined
  }

  #wrap(value: bigint, node: JsonObject): bigint {
    const type = wordTypeOf(this.#build, typeIdOf(node))
    if (!type) return value
    return type.kind === 'int' ? BigInt.asIntN(type.size, value) : BigInt.asUintN(type.size, value)
  }
}

function typeIdOf(node: JsonObject): string {
  return optionalText(nodeIn(node, 'typeDescriptions')?.['typeIdentifier']) ?? ''
}

/** Built-in functions have negative ids. */
function isBuiltIn({ referencedDeclaration: id }: JsonObject): boolean {
  return typeof id === 'number' && (id < 0 || id >= 2 ** 31)
}

function literal(node: JsonObject): Value | undefined {
  const text = optionalText(node['value'])
  if (node['kind'] === 'bool') return text === 'true' ? 1n : 0n
  if (node['kind'] === 'number') {
    // An address; other numbers have a type that says their value.
    return text !== undefined && /^0x[\da-f]{40}$/i.test(text) ? BigInt(text) : undefined
  }
  const digits = optionalText(node['hexValue']) ?? ''
  if (digits.length > 2 * TEXT_LIMIT) return undefined
  return /^(?:[\da-f]{2})*$/i.test(digits) ? hexToBytes(`0x${digits}`) : undefined
}

/** Smallest and largest value of a type of numbers. */
function rangeOf({ kind, size, names }: WordType): readonly [bigint, bigint] | undefined {
  if (kind === 'bytes' || kind === 'function') return undefined
  if (kind === 'int') return [-(1n << BigInt(size - 1)), (1n << BigInt(size - 1)) - 1n]
  if (kind === 'enum') return names.length === 0 ? undefined : [0n, BigInt(names.length - 1)]
  return [0n, (1n << BigInt(size)) - 1n]
}

function operate(operator: string, a: bigint, b: bigint): bigint | undefined {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return b === 0n ? undefined : a / b
    case '%':
      return b === 0n ? undefined : a % b
    case '&':
      return a & b
    case '|':
      return a | b
    case '^':
      return a ^ b
    case '**':
      // No larger power of 2 fits a word.
      return b < 0n || b > 255n || a > 1n << 128n || a < -(1n << 128n) ? undefined : a ** b
    case '<<':
      return b < 0n || b > 256n ? undefined : a << b
    case '>>':
      return b < 0n ? undefined : b > 256n ? (a < 0n ? -1n : 0n) : a >> b
    default:
      return undefined
  }
}

/** Bytes with zeros behind them. */
function padded(bytes: Uint8Array, size: number): Uint8Array {
  const all = new Uint8Array(size)
  all.set(bytes)
  return all
}

/** The last bytes of a number. */
function endOf(value: bigint, size: number): Uint8Array {
  return hexToBytes(toWord(BigInt.asUintN(8 * size, value))).subarray(32 - size)
}

/** As on the stack. */
function wordOf(value: Value): Uint8Array {
  return typeof value === 'bigint' ? endOf(value, 32) : padded(value.subarray(0, 32), 32)
}
