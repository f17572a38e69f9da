import { isObject, type JsonObject } from '#primitives/json-object.ts'
import { optionalText } from './json.ts'

/** A name of an enum's value: a build may come from anyone. */
const NAME = /^[A-Za-z_$][\w$]{0,255}$/
/** Most values of an enum; before Solidity 0.8 there was no limit. */
const MOST_NAMES = 65_536

/** What an ABI says of a parameter, as far as enums need it. */
interface Parameter {
  readonly type: string
  readonly internalType?: string
  readonly components?: readonly Parameter[]
  readonly enumNames?: readonly string[]
}

/** An entry of an ABI, as far as enums need it. */
interface Entry {
  readonly inputs?: readonly Parameter[]
  readonly outputs?: readonly Parameter[]
}

/** The values of enums by the names that an ABI has for the enums: `Token.State`. */
export type EnumsByName = ReadonlyMap<string, readonly string[]>

/**
 * The enums that are declared in sources. An ABI names an enum without saying in which source it is, so those that share a
 * name without being the same are left out.
 *
 * @param asts - One for each source, not validated.
 */
export function enumsIn(asts: Iterable<unknown>): EnumsByName {
  const found = new Map<string, readonly string[]>()
  const ambiguous = new Set<string>()
  const add = (node: JsonObject) => {
    if (node['nodeType'] !== 'EnumDefinition') return
    const name = optionalText(node['canonicalName']) ?? optionalText(node['name']) ?? ''
    const names = enumNames(node)
    const known = found.get(name)
    if (names.includes('') || (known && known.join() !== names.join())) ambiguous.add(name)
    found.set(name, names)
  }
  for (const ast of asts) {
    for (const node of isObject(ast) ? nodesIn(ast, 'nodes') : []) {
      add(node)
      if (node['nodeType'] === 'ContractDefinition') nodesIn(node, 'nodes').forEach(add)
    }
  }
  for (const name of ambiguous) found.delete(name)
  return found
}

/** The names of an enum's values, in their order; one that no compiler takes is empty. */
export function enumNames(node: JsonObject | undefined): string[] {
  if (node?.['nodeType'] !== 'EnumDefinition') return []
  const members = nodesIn(node, 'members').slice(0, MOST_NAMES)
  return members.map(({ name }) => NAME.exec(optionalText(name) ?? '')?.[0] ?? '')
}

/** An ABI whose parameters have the names of their enums' values as `enumNames`; the same object where there are none. */
export function withEnumNames<Abi extends readonly object[]>(abi: Abi, enums: EnumsByName): Abi {
  if (enums.size === 0) return abi
  const entries = mapped(abi as unknown as readonly Entry[], (entry) => {
    const { inputs, outputs } = entry
    const named = {
      inputs: inputs && mapped(inputs, (each) => namedParameter(each, enums)),
      outputs: outputs && mapped(outputs, (each) => namedParameter(each, enums)),
    }
    if (named.inputs === inputs && named.outputs === outputs) return entry
    return { ...entry, ...(inputs && { inputs: named.inputs }), ...(outputs && { outputs: named.outputs }) }
  })
  return entries as unknown as Abi
}

function namedParameter(parameter: Parameter, enums: EnumsByName): Parameter {
  const { internalType = '', components } = parameter
  const inner = components && mapped(components, (each) => namedParameter(each, enums))
  const names = enums.get(/^enum ([\w$.]+)(?:\[\d*\])*$/.exec(internalType)?.[1] ?? '')
  if (inner === components && !names) return parameter
  return { ...parameter, ...(components && { components: inner }), ...(names && { enumNames: names }) }
}

/** Changes items; returns the given list if nothing in it changes. */
function mapped<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change)
  return changed.some((item, i) => item !== items[i]) ? changed : items
}

function nodesIn(node: JsonObject, key: string): JsonObject[] {
  const list = node[key]
  return Array.isArray(list) ? list.filter(isObject) : []
}
