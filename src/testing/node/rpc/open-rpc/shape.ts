/**
 * The shape of a type's values, with references to other types: an intermediate form between TypeScript's syntax and
 * JSON Schema.
 */
export type TypeShape =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'keyword'; readonly type: 'string' | 'number' | 'boolean' | 'object' | 'null' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  /** A reference to a type of the contract, or to a format of hexadecimal text. */
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'list'; readonly items: TypeShape }
  | { readonly kind: 'tuple'; readonly members: readonly Member[] }
  | ObjectShape
  | { readonly kind: 'union'; readonly shapes: readonly TypeShape[] }

/** An object with known members, and perhaps others. */
export interface ObjectShape {
  readonly kind: 'object'
  readonly members: readonly Member[]
  readonly others?: { readonly keys: TypeShape; readonly values: TypeShape }
}

/** A member of an object, or a position of a tuple. */
export interface Member {
  readonly name: string
  readonly optional: boolean
  readonly doc?: string
  readonly shape: TypeShape
}

/** A union of shapes; nested unions are flattened and duplicates removed. */
export function unionOf(shapes: readonly TypeShape[]): TypeShape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'union' ? shape.shapes : [shape]))
  const distinct = [...new Map(flat.map((shape) => [JSON.stringify(shape), shape])).values()]
  const [only] = distinct
  return distinct.length === 1 && only ? only : { kind: 'union', shapes: distinct }
}

/**
 * The intersection of two shapes, whose references must be resolved before.
 *
 * @throws {Error} If the result is neither an object nor equal to one of them.
 */
export function intersectionOf(left: TypeShape, right: TypeShape): TypeShape {
  if (left.kind === 'union') return unionOf(left.shapes.map((shape) => intersectionOf(shape, right)))
  if (right.kind === 'union') return unionOf(right.shapes.map((shape) => intersectionOf(left, shape)))
  // `string & {}` means any string; it keeps a union with literals from collapsing.
  if (left.kind === 'keyword' && isAnything(right)) return left
  if (left.kind !== 'object' || right.kind !== 'object') throw new Error(`no ${left.kind} is a ${right.kind} as well`)
  if (left.others && right.others) throw new Error('both objects have members of any name')
  const twice = left.members.find(({ name }) => right.members.some((member) => member.name === name))
  if (twice) throw new Error(`both objects have a member ${twice.name}`)
  const others = left.others ?? right.others
  return { kind: 'object', members: [...left.members, ...right.members], ...(others && { others }) }
}

function isAnything(shape: TypeShape): boolean {
  return shape.kind === 'object' && shape.members.length === 0 && !shape.others
}
