import { isObject, type JsonObject } from '#primitives/json-object.ts'
import type { Build } from '#solidity/build/build.ts'
import { isDeclaration, optionalText } from '#solidity/build/json.ts'
import { AST_NODE_LIMIT } from './ast-outline.ts'

const NODES = new WeakMap<Build, ReadonlyMap<number, JsonObject>>()

const DECLARATIONS: ReadonlySet<string> = new Set([
  'FunctionDefinition',
  'ModifierDefinition',
  'StructDefinition',
  'EnumDefinition',
  'UserDefinedValueTypeDefinition',
  'ContractDefinition',
])

/** The AST node of a function, a modifier, a type or a contract. */
export function declarationNode(build: Build, id: number): JsonObject | undefined {
  let nodes = NODES.get(build)
  if (!nodes) {
    const found = new Map<number, JsonObject>()
    for (const { ast } of build.sources) collect(ast, found)
    nodes = found
    NODES.set(build, nodes)
  }
  return nodes.get(id)
}

/** Collects declarations, which stand in the source or in a contract, no deeper. */
function collect(ast: unknown, into: Map<number, JsonObject>): void {
  const pending = isObject(ast) ? [ast] : []
  for (let read = 0; pending.length > 0 && read < AST_NODE_LIMIT; read++) {
    const node = pending.pop() as JsonObject
    const type = optionalText(node['nodeType'])
    if (DECLARATIONS.has(type ?? '')) {
      if (isDeclaration(node['id'])) into.set(node['id'], node)
    }
    if (type === 'ContractDefinition' || !DECLARATIONS.has(type ?? ''))
      for (const inner of nodesIn(node, 'nodes')) pending.push(inner)
  }
}

/** The nodes in one of a node's lists. */
export function nodesIn(node: JsonObject, key: string): JsonObject[] {
  const list = node[key]
  return Array.isArray(list) ? list.filter(isObject) : []
}

export function nodeIn(node: JsonObject, key: string): JsonObject | undefined {
  const inner = node[key]
  return isObject(inner) ? inner : undefined
}

/** `start:length:source`. */
export function rangeOfNode({ src }: JsonObject): { readonly start: number; readonly end: number } {
  const [start = -1, length = 0] = (optionalText(src) ?? '').split(':').map(Number)
  return { start, end: start + length }
}
