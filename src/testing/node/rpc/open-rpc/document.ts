import type {
  JsonSchema,
  OpenRpcContent,
  OpenRpcDocument,
  OpenRpcMethod,
  OpenRpcSubscription,
} from '#rpc-types/open-rpc.ts'
import type { Declaration } from './declarations.ts'
import { FORMATS } from './formats.ts'
import { memberSchema, type SchemaDirection, toJsonSchema } from './json-schema.ts'
import type { Member, ObjectShape, TypeShape } from './shape.ts'
import { ShapeReader } from './shape-reader.ts'

/** The input for the document. */
export interface DocumentSource {
  readonly declarations: ReadonlyMap<string, Declaration>
  readonly version: string
  /** Aliases, each with the name of its method. */
  readonly aliases: ReadonlyMap<string, string>
}

/**
 * The OpenRPC document of the contract: `RpcMethods` and `Subscriptions` with all types that they refer to.
 *
 * @throws {Error} If a type is written in a form that has no schema, or a method has no summary.
 */
export function createOpenRpcDocument({ declarations, version, aliases }: DocumentSource): OpenRpcDocument {
  const reader = new ShapeReader(declarations)
  const methods = new Map(reader.members('RpcMethods').map((member) => [member.name, describeMethod(member)]))
  for (const [alias, name] of aliases) {
    const method = methods.get(name)
    if (!method) throw new Error(`${alias} stands for ${name}, which is no method`)
    methods.set(alias, { ...method, name: alias, summary: `The same as \`${name}\`.` })
  }
  const subscriptions = reader.members('Subscriptions').map(describeSubscription)
  return {
    openrpc: '1.3.2',
    info: {
      title: 'Blinknet',
      version,
      description:
        'JSON-RPC of a layer-2 devnet that pre-confirms every transaction. What is optional in parameters may be null.',
      license: { name: 'MIT' },
    },
    methods: [...methods.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    'x-subscriptions': subscriptions,
    components: { schemas: describeComponents(reader) },
  }
}

function describeMethod(member: Member): OpenRpcMethod {
  const { params, result, ...head } = describeMember(member, 'result')
  return { ...head, paramStructure: 'by-position', params, result }
}

function describeSubscription(member: Member): OpenRpcSubscription {
  const { result, ...rest } = describeMember(member, 'payload')
  return { ...rest, payload: result }
}

/** @param resultName - The contract's word for the result. */
function describeMember({ name, doc, shape }: Member, resultName: 'result' | 'payload') {
  const { params, result } = partsOf(shape, name, resultName)
  if (doc === undefined) throw new Error(`${name} has no comment that says what it does`)
  return {
    name,
    ...summaryOf(doc),
    params: describeParams(params, name),
    result: { name: resultName, schema: toJsonSchema(result, 'result') },
  }
}

/** The first sentence as the summary; the whole text as the description, if there is more. */
function summaryOf(doc: string): { readonly summary: string; readonly description?: string } {
  const [first = doc] = /^.*?[.](?= |$)/.exec(doc) ?? []
  return first === doc ? { summary: doc } : { summary: first, description: doc }
}

function partsOf(
  shape: TypeShape,
  name: string,
  resultName: string,
): { readonly params: TypeShape; readonly result: TypeShape } {
  const members: ObjectShape['members'] = shape.kind === 'object' ? shape.members : []
  const part = (wanted: string) => members.find((member) => member.name === wanted)?.shape
  const params = part('params')
  const result = part(resultName)
  if (!params || !result) throw new Error(`${name} needs params and ${resultName}`)
  return { params, result }
}

function describeParams(params: TypeShape, name: string): readonly OpenRpcContent[] {
  if (params.kind !== 'tuple') throw new Error(`the params of ${name} are no tuple`)
  return params.members.map((member) => ({
    name: member.name,
    required: !member.optional,
    schema: memberSchema(member, 'param'),
  }))
}

/** All types that methods and subscriptions refer to, directly or indirectly. */
function describeComponents(reader: ShapeReader): Readonly<Record<string, JsonSchema>> {
  const answered = new Set<string>()
  const taken = new Set<string>()
  const contract = [
    ...reader.members('RpcMethods').map(({ shape, name }) => partsOf(shape, name, 'result')),
    ...reader.members('Subscriptions').map(({ shape, name }) => partsOf(shape, name, 'payload')),
  ]
  for (const { params, result } of contract) {
    collectNames(params, reader, taken)
    collectNames(result, reader, answered)
  }
  const names = [...new Set([...answered, ...taken])].toSorted()
  return Object.fromEntries(
    names.map((name) => [name, describeComponent(name, answered.has(name) ? 'result' : 'param', reader)]),
  )
}

function describeComponent(name: string, direction: SchemaDirection, reader: ShapeReader): JsonSchema {
  const format = FORMATS[name]
  if (format) return { title: name, type: 'string', ...format }
  const doc = reader.doc(name)
  return {
    title: name,
    ...(doc !== undefined && { description: doc }),
    ...toJsonSchema(reader.declared(name), direction),
  }
}

function collectNames(shape: TypeShape, reader: ShapeReader, names: Set<string>): void {
  for (const name of namesIn(shape)) {
    if (names.has(name)) continue
    names.add(name)
    if (!Object.hasOwn(FORMATS, name)) collectNames(reader.declared(name), reader, names)
  }
}

function namesIn(shape: TypeShape): readonly string[] {
  switch (shape.kind) {
    case 'named':
      return [shape.name]
    case 'list':
      return namesIn(shape.items)
    case 'tuple':
      return shape.members.flatMap((member) => namesIn(member.shape))
    case 'object':
      return [
        ...shape.members.flatMap((member) => namesIn(member.shape)),
        ...(shape.others ? [...namesIn(shape.others.keys), ...namesIn(shape.others.values)] : []),
      ]
    case 'union':
      return shape.shapes.flatMap(namesIn)
    case 'unknown':
    case 'keyword':
    case 'literal':
      return []
  }
}
