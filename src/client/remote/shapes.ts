import { isObject } from '#primitives/json-object.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'

/**
 * Checks a value. Returns the path of the first problem, such as `transactions[0].hash`, or `undefined` if there is
 * none. The empty path means the value itself.
 */
export type Shape = (value: unknown, path: string) => string | undefined

export const matches =
  (pattern: RegExp): Shape =>
  (value, path) =>
    typeof value === 'string' && pattern.test(value) ? undefined : path
export const quantity = matches(/^0x[\da-f]{1,64}$/i)
export const hash = matches(/^0x[\da-f]{64}$/i)
export const bloom = matches(/^0x[\da-f]{512}$/i)
export const address = matches(/^0x[\da-f]{40}$/i)
/** Bytes, often megabytes of them: a pattern for the whole would remember a way back for each. */
export const data: Shape = (value, path) =>
  typeof value === 'string' && value.startsWith('0x') && value.length % 2 === 0 && !/[^\da-f]/i.test(value.slice(2))
    ? undefined
    : path
export const text: Shape = (value, path) => (typeof value === 'string' ? undefined : path)
export const anything: Shape = () => undefined

/** A quantity that the page uses as a number. */
export const quantityUpTo =
  (most: number): Shape =>
  (value, path) =>
    quantity(value, path) ?? (BigInt(value as string) <= BigInt(most) ? undefined : path)
export const blockNumber = quantityUpTo(Number.MAX_SAFE_INTEGER)
/** The largest `Date`, in seconds. */
export const timestamp = quantityUpTo(8_640_000_000_000)

export const numberFrom =
  (least: number, most: number): Shape =>
  (value, path) =>
    typeof value === 'number' && value >= least && value <= most ? undefined : path
export const wholeFrom =
  (least: number, most: number): Shape =>
  (value, path) =>
    Number.isInteger(value) ? numberFrom(least, most)(value, path) : path
export const flag: Shape = (value, path) => (typeof value === 'boolean' ? undefined : path)
export const milliseconds = numberFrom(-8.64e15, 8.64e15)
export const count = wholeFrom(0, Number.MAX_SAFE_INTEGER)
/** A block never has more partial blocks than an option allows. */
export const partialIndex = wholeFrom(0, OPTION_RANGES.partialsPerBlock.max)

export const nullable =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? undefined : shape(value, path)
export const optional =
  (shape: Shape): Shape =>
  (value, path) =>
    value === undefined || value === null ? undefined : shape(value, path)
export const either =
  (one: Shape, other: Shape): Shape =>
  (value, path) =>
    one(value, path) === undefined ? undefined : other(value, path)

export const listOf =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return path
    for (const [i, item] of value.entries()) {
      const wrong = shape(item, `${path}[${i}]`)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
export const recordOf =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!isObject(value)) return path
    for (const [name, member] of Object.entries(value)) {
      const wrong = shape(member, `${path}[…]`)
      // The name is the chain's own text, and can be anything.
      if (wrong !== undefined || name === '__proto__') return wrong ?? path
    }
    return undefined
  }
type MemberOf<Type> = Type extends unknown ? keyof Type : never
/**
 * An object that has at least these members.
 *
 * @typeParam Type - The contract's type of it, of whose members these are some.
 */
export const object =
  <Type = Readonly<Record<string, unknown>>>(members: { readonly [Name in MemberOf<Type>]?: Shape }): Shape =>
  (value, path) => {
    if (!isObject(value)) return path
    for (const [name, shape] of Object.entries<Shape>(members as Readonly<Record<string, Shape>>)) {
      const own = Object.hasOwn(value, name) ? value[name] : undefined
      const wrong = shape(own, path === '' ? name : `${path}.${name}`)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }

/** Longest part of a path that is shown, in characters. */
export const PARTS_OF_PATH = 80
