/** A type's values, with the names of other types in it: between TypeScript's syntax and JSON Schema. */
export type Shape =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'keyword'; readonly type: 'string' | 'number' | 'boolean' | 'object' | 'null' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  /** A type of the contract, or a format of hexadecimal text. */
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'list'; readonly items: Shape }
  | { readonly kind: 'tuple'; readonly members: readonly Member[] }
  | ObjectShape
  | { readonly kind: 'union'; readonly shapes: readonly Shape[] }

/** An object with members of known names, and perhaps others. */
export interface ObjectShape {
  readonly kind: 'object'
  readonly members: readonly Member[]
  readonly others?: { readonly keys: Shape; readonly values: Shape }
}

/** A member of an object, or a position of a tuple. */
export interface Member {
  readonly name: string
  readonly optional: boolean
  readonly doc?: string
  readonly shape: Shape
}

/** Any of some shapes; a union among them is taken apart, and what is there twice is there once. */
export function unionOf(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'union' ? shape.shapes : [shape]))
  const distinct = [...new Map(flat.map((shape) => [JSON.stringify(shape), shape])).values()]
  const [only] = distinct
  return distinct.length === 1 && only ? only : { kind: 'union', shapes: distinct }
}

/**
 * The intersection of two shapes. Names are to be resolved before.
 *
 * @throws {Error} If that is not an object, nor the same as one of them.
 */
export function intersectionOf(left: Shape, right: Shape): Shape {
  if (left.kind === 'union') return unionOf(left.shapes.map((shape) => intersectionOf(shape, right)))
  if (right.kind === 'union') return unionOf(right.shapes.map((shape) => intersectionOf(left, shape)))
  // `string & {}` is every string, which a union with literals keeps apart from them.
  if (left.kind === 'keyword' && isAnything(right)) return left
  if (left.kind !== 'object' || right.kind !== 'object') throw new Error(`no ${left.kind} is a ${right.kind} as well`)
  if (left.others && right.others) throw new Error('both objects have members of any name')
  const twice = left.members.find(({ name }) => right.members.some((member) => member.name === name))
  if (twice) throw new Error(`both objects have a member ${twice.name}`)
  const others = left.others ?? right.others
  return { kind: 'object', members: [...left.members, ...right.members], ...(others && { others }) }
}

function isAnything(shape: Shape): boolean {
  return shape.kind === 'object' && shape.members.length === 0 && !shape.others
}
