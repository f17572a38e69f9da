import type { JsonSchema } from '#rpc-types/open-rpc.ts'
import type { Member, ObjectShape, TypeShape } from './shape.ts'

/** Whether callers or the node make a schema's values: objects in the node's answers have only the named members. */
export type SchemaDirection = 'param' | 'result'

/** A reference to a named type in the document. */
const componentPointer = (name: string) => `#/components/schemas/${name}`

/** A shape as JSON Schema draft 7, with references to the document's components. */
export function toJsonSchema(shape: TypeShape, direction: SchemaDirection): JsonSchema {
  const nested = (part: TypeShape) => toJsonSchema(part, direction)
  switch (shape.kind) {
    case 'unknown':
      return {}
    case 'keyword':
      return { type: shape.type }
    case 'literal':
      return { const: shape.value }
    case 'named':
      return { $ref: componentPointer(shape.name) }
    case 'list':
      return { type: 'array', items: nested(shape.items) }
    case 'tuple':
      return tupleSchema(shape.members, direction)
    case 'object':
      return objectSchema(shape, direction)
    case 'union':
      return unionSchema(shape.shapes, nested)
  }
}

/** The schema of a member, with its comment as the description. */
export function memberSchema({ doc, shape }: Member, direction: SchemaDirection): JsonSchema {
  return { ...(doc !== undefined && { description: doc }), ...toJsonSchema(shape, direction) }
}

function tupleSchema(members: readonly Member[], direction: SchemaDirection): JsonSchema {
  if (members.length === 0) return { type: 'array', maxItems: 0 }
  return {
    type: 'array',
    items: members.map((member) => memberSchema(member, direction)),
    additionalItems: false,
    minItems: members.filter(({ optional }) => !optional).length,
  }
}

function objectSchema({ members, others }: ObjectShape, direction: SchemaDirection): JsonSchema {
  const required = members.filter(({ optional }) => !optional).map(({ name }) => name)
  return {
    type: 'object',
    ...(members.length > 0 && {
      properties: Object.fromEntries(members.map((member) => [member.name, memberSchema(member, direction)])),
    }),
    ...(required.length > 0 && { required }),
    ...(others?.keys.kind === 'named' && { propertyNames: toJsonSchema(others.keys, direction) }),
    ...(others && { additionalProperties: toJsonSchema(others.values, direction) }),
    ...(!others && direction === 'result' && { additionalProperties: false }),
  }
}

function unionSchema(shapes: readonly TypeShape[], nested: (shape: TypeShape) => JsonSchema): JsonSchema {
  const values = shapes.flatMap((shape) => (shape.kind === 'literal' ? [shape.value] : []))
  if (values.length === shapes.length) return { enum: values }
  const literals = values.length > 1 ? [{ enum: values }] : values.map((value) => ({ const: value }))
  return { anyOf: [...literals, ...shapes.filter(({ kind }) => kind !== 'literal').map(nested)] }
}
