import type { TSSignature, TSType, TSTypeParameterInstantiation } from 'oxc-parser'
import type { Declaration } from './declarations.ts'
import { FORMATS } from './formats.ts'
import { intersectionOf, type Member, type ObjectShape, type TypeShape, unionOf } from './shape.ts'

/** A generic type's parameters with their arguments. */
type Scope = ReadonlyMap<string, TypeShape>

const KEYWORDS = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
  TSObjectKeyword: 'object',
  TSNullKeyword: 'null',
} as const

/** A type's place in the source, for error messages and to find its comments. */
interface Place {
  readonly declaration: Declaration
  readonly scope: Scope
}

/**
 * Reads the part of TypeScript's syntax that the contract uses. Anything else is an error, so that a schema never says
 * less than the type.
 */
export class ShapeReader {
  readonly #declarations: ReadonlyMap<string, Declaration>

  constructor(declarations: ReadonlyMap<string, Declaration>) {
    this.#declarations = declarations
  }

  /** The TSDoc of a declared type. */
  doc(name: string): string | undefined {
    const declaration = this.#find(name)
    return declaration.docs(declaration.node)
  }

  /** The shape of a declared type; other types in it are references. */
  declared(name: string, args: readonly TypeShape[] = []): TypeShape {
    const declaration = this.#find(name)
    const { node } = declaration
    const scope = new Map<string, TypeShape>()
    for (const [i, parameter] of (node.typeParameters?.params ?? []).entries()) {
      const standIn = args[i] ?? (parameter.default && this.#read(parameter.default, { declaration, scope }))
      if (!standIn) throw new Error(`${name} needs an argument for ${parameter.name.name}`)
      scope.set(parameter.name.name, standIn)
    }
    const place = { declaration, scope }
    if (node.type === 'TSTypeAliasDeclaration') return this.#read(node.typeAnnotation, place)
    const own = this.#object(node.body.body, place)
    return node.extends.reduceRight<TypeShape>((rest, { expression, typeArguments }) => {
      if (expression.type !== 'Identifier') throw unknownSyntax(expression.type, place)
      return intersectionOf(this.resolved(this.#reference(expression.name, typeArguments, place)), rest)
    }, own)
  }

  /** A shape with references resolved, at its top and in its union. */
  resolved(shape: TypeShape): TypeShape {
    if (shape.kind === 'named' && !Object.hasOwn(FORMATS, shape.name)) return this.resolved(this.declared(shape.name))
    if (shape.kind === 'union') return unionOf(shape.shapes.map((part) => this.resolved(part)))
    return shape
  }

  /** The members of a declared interface. */
  members(name: string): readonly Member[] {
    return asObject(this.declared(name), name).members
  }

  #find(name: string): Declaration {
    const declaration = this.#declarations.get(name)
    if (!declaration) throw new Error(`${name} is declared nowhere`)
    return declaration
  }

  #read(node: TSType, place: Place): TypeShape {
    switch (node.type) {
      case 'TSUnknownKeyword':
        return { kind: 'unknown' }
      case 'TSStringKeyword':
      case 'TSNumberKeyword':
      case 'TSBooleanKeyword':
      case 'TSObjectKeyword':
      case 'TSNullKeyword':
        return { kind: 'keyword', type: KEYWORDS[node.type] }
      case 'TSLiteralType':
        if (node.literal.type !== 'Literal') throw unknownSyntax(node.literal.type, place)
        return { kind: 'literal', value: literalValue(node.literal.value, place) }
      case 'TSParenthesizedType':
        return this.#read(node.typeAnnotation, place)
      case 'TSTypeOperator':
        if (node.operator !== 'readonly') throw unknownSyntax(node.operator, place)
        return this.#read(node.typeAnnotation, place)
      case 'TSArrayType':
        return { kind: 'list', items: this.#read(node.elementType, place) }
      case 'TSTupleType':
        return { kind: 'tuple', members: node.elementTypes.map((element, i) => this.#element(element, i, place)) }
      case 'TSTypeLiteral':
        return this.#object(node.members, place)
      case 'TSUnionType':
        return unionOf(node.types.map((type) => this.#read(type, place)))
      case 'TSIntersectionType':
        return node.types
          .map((type) => this.resolved(this.#read(type, place)))
          .reduce((left, right) => intersectionOf(left, right))
      case 'TSTypeReference':
        if (node.typeName.type !== 'Identifier') throw unknownSyntax(node.typeName.type, place)
        return this.#reference(node.typeName.name, node.typeArguments, place)
      default:
        throw unknownSyntax(node.type, place)
    }
  }

  #reference(name: string, typeArguments: TSTypeParameterInstantiation | null, place: Place): TypeShape {
    const standIn = place.scope.get(name)
    if (standIn) return standIn
    if (Object.hasOwn(FORMATS, name)) return { kind: 'named', name }
    const args = (typeArguments?.params ?? []).map((type) => this.#read(type, place))
    const [first, second] = args
    if (name === 'Readonly' && first) return first
    if (name === 'Record' && first && second) return record(this.resolved(first), second)
    if (name === 'Pick' && first && second) return this.#withNames(first, second, true)
    if (name === 'Omit' && first && second) return this.#withNames(first, second, false)
    // A type that is not exported gets no name in the document.
    if (args.length > 0 || !this.#find(name).exported) return this.declared(name, args)
    return { kind: 'named', name }
  }

  #withNames(object: TypeShape, names: TypeShape, kept: boolean): TypeShape {
    const { members, ...rest } = asObject(this.resolved(object), 'the argument of Pick or Omit')
    const chosen = new Set(literals(names))
    const unknown = [...chosen].find((name) => !members.some((member) => member.name === name))
    if (unknown !== undefined) throw new Error(`there is no member ${unknown} to pick or to omit`)
    return { ...rest, members: members.filter(({ name }) => chosen.has(name) === kept) }
  }

  #element(element: TSType | { type: string }, index: number, place: Place): Member {
    if (element.type !== 'TSNamedTupleMember' || !('label' in element)) {
      return { name: String(index), optional: false, shape: this.#read(element as TSType, place) }
    }
    const { label, optional, elementType } = element
    return { name: label.name, optional, shape: this.#read(elementType as TSType, place) }
  }

  #object(signatures: readonly TSSignature[], place: Place): ObjectShape {
    const members: Member[] = []
    let others: ObjectShape['others']
    for (const signature of signatures) {
      if (signature.type === 'TSIndexSignature') {
        const [key] = signature.parameters
        if (!key) throw unknownSyntax(signature.type, place)
        others = {
          keys: this.#read(key.typeAnnotation.typeAnnotation, place),
          values: this.#read(signature.typeAnnotation.typeAnnotation, place),
        }
      } else if (signature.type === 'TSPropertySignature' && signature.typeAnnotation && !signature.computed) {
        const doc = place.declaration.docs(signature)
        members.push({
          name: memberName(signature.key, place),
          optional: signature.optional,
          ...(doc !== undefined && { doc }),
          shape: this.#read(signature.typeAnnotation.typeAnnotation, place),
        })
      } else throw unknownSyntax(signature.type, place)
    }
    return { kind: 'object', members, ...(others && { others }) }
  }
}

/** An object with a member for each literal among the keys, or with any members whose names match the keys' type. */
function record(keys: TypeShape, values: TypeShape): ObjectShape {
  if (keys.kind !== 'union' && keys.kind !== 'literal') return { kind: 'object', members: [], others: { keys, values } }
  return { kind: 'object', members: literals(keys).map((name) => ({ name, optional: false, shape: values })) }
}

function literals(shape: TypeShape): readonly string[] {
  return (shape.kind === 'union' ? shape.shapes : [shape]).map((part) => {
    if (part.kind === 'literal' && typeof part.value === 'string') return part.value
    throw new Error(`a ${part.kind} is no name of a member`)
  })
}

function asObject(shape: TypeShape, what: string): ObjectShape {
  if (shape.kind === 'object') return shape
  throw new Error(`${what} is a ${shape.kind}, not an object`)
}

function memberName(key: { readonly type: string }, place: Place): string {
  if (key.type === 'Identifier' && 'name' in key && typeof key.name === 'string') return key.name
  if (key.type === 'Literal' && 'value' in key && typeof key.value === 'string') return key.value
  throw unknownSyntax(key.type, place)
}

function literalValue(value: unknown, place: Place): string | number | boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw unknownSyntax(`a literal ${typeof value}`, place)
}

function unknownSyntax(type: string, { declaration }: Place): Error {
  return new Error(`${declaration.name}: ${type} has no schema yet`)
}
