import { hexToBytes, toWord } from '#primitives/hex.ts'
import { isObject, type JsonObject } from '#primitives/json-object.ts'
import type { Build, BuildContract } from '#solidity/build/build.ts'
import { isDeclaration, optionalText } from '#solidity/build/json.ts'
import { keccak256, keccakOfText } from '#solidity/keccak.ts'
import { declarationNode, nodeIn, nodesIn } from '#solidity/source/ast-nodes.ts'
import { AST_NODE_LIMIT } from '#solidity/source/ast-outline.ts'
import { wordTypeOf } from '#solidity/types/word-type.ts'
import type { LayoutType, LayoutVariable, StorageLayout } from './storage-layout.ts'

/** Most namespaces of one contract. */
const NAMESPACE_LIMIT = 256
/** Most types and members in them. */
const TYPE_LIMIT = 20_000
/** Deepest nesting of types. */
const DEPTH_LIMIT = 32
/** Longest name, in characters: names of types contain those of other types. */
const NAME_LIMIT = 1_000
const LOCATION = /@custom:storage-location\s+erc7201:(\S+)/

/**
 * The structs that a contract keeps in namespaces, as OpenZeppelin's upgradeable contracts do, as variables named after the
 * structs. They may be declared in the contract, its bases, the libraries that it uses, or a file. The compiler's
 * `storageLayout` does not have them, so we lay them out from the AST. Without an AST there are none; a struct with a type of
 * unknown size is left out.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-7201 | ERC-7201}
 */
export function namespacesOf(build: Build, contract: BuildContract): StorageLayout {
  const variables: LayoutVariable[] = []
  const types = new Map<string, LayoutType>()
  const budget = { left: TYPE_LIMIT }
  for (const { struct, id, owner } of namespaceStructs(build, contract)) {
    const own = new Map(types)
    const type = new Layout(build, own, budget).struct(struct, 0)
    if (!type) continue
    for (const [key, value] of own) types.set(key, value)
    const name = nameOf(struct, 'name')
    const isTaken = variables.some(({ label }) => label === name)
    variables.push({ label: isTaken ? `${name} (${owner})` : name, slot: slotOf(id), offset: 0, type: type.id })
  }
  return { variables, types }
}

/** The slot at which a namespace begins. */
export function slotOf(namespace: string): bigint {
  const before = BigInt.asUintN(256, BigInt(keccakOfText(namespace)) - 1n)
  return BigInt(keccak256(hexToBytes(toWord(before)))) & ~0xffn
}

interface Namespace {
  readonly struct: JsonObject
  readonly id: string
  /** The contract or library that declares it; the namespace itself for a struct outside both. */
  readonly owner: string
}

/**
 * The transient variables of a contract, laid out from the AST: older compilers do not report them, nor does anyone who has
 * not asked. Without an AST there are none.
 */
export function transientLayout(build: Build, contract: BuildContract): StorageLayout {
  const variables = stateVariablesOf(build, contract).filter((node) => node['storageLocation'] === 'transient')
  const types = new Map<string, LayoutType>()
  const members = new Layout(build, types, { left: TYPE_LIMIT }).place(variables, 0)?.members ?? []
  return { variables: members, types }
}

/** The declarations of a contract's state variables, in the order in which they are laid out; none without an AST. */
export function stateVariablesOf(build: Build, contract: BuildContract): JsonObject[] {
  return contractAndBases(build, contract)
    .flatMap((each) => nodesIn(each, 'nodes'))
    .filter((node) => node['nodeType'] === 'VariableDeclaration' && node['stateVariable'] === true)
    .slice(0, TYPE_LIMIT)
}

/** The AST nodes of a contract and its bases, the most basic first. */
function contractAndBases(build: Build, { path, name }: BuildContract): JsonObject[] {
  const ast = build.sources.find((source) => source.path === path)?.ast
  const nodes = isObject(ast) ? nodesIn(ast, 'nodes') : []
  const own = nodes.find((node) => node['nodeType'] === 'ContractDefinition' && node['name'] === name)
  const bases = own?.['linearizedBaseContracts']
  if (!Array.isArray(bases)) return []
  // Each contract once, whatever the AST repeats.
  return [...new Set<unknown>(bases)].reverse().flatMap((id): JsonObject[] => {
    const contract = declarationAt(build, id)
    return contract ? [contract] : []
  })
}

/** Namespaces of bases, the most basic first as variables are laid out, then those that the contract's code points to. */
function namespaceStructs(build: Build, contract: BuildContract): Namespace[] {
  const contracts = contractAndBases(build, contract)
  const declared = contracts.flatMap((each) => nodesIn(each, 'nodes'))
  const found = new Map<number, Namespace>()
  for (const struct of [...declared, ...structsPointedTo(build, contracts)]) {
    const id = struct['id']
    if (struct['nodeType'] !== 'StructDefinition' || !isDeclaration(id) || found.has(id)) continue
    const namespace = LOCATION.exec(optionalText(nodeIn(struct, 'documentation')?.['text']) ?? '')?.[1]
    if (namespace === undefined) continue
    const scope = declarationAt(build, struct['scope'])
    found.set(id, { struct, id: namespace, owner: scope ? nameOf(scope, 'name') : namespace.slice(0, NAME_LIMIT) })
    if (found.size === NAMESPACE_LIMIT) break
  }
  return [...found.values()]
}

/**
 * The structs to which code has storage pointers, also in the functions of libraries and files that it calls, in the order
 * of the sources. A call of another contract is not followed: that one has storage of its own.
 */
function structsPointedTo(build: Build, code: readonly JsonObject[]): JsonObject[] {
  const structs: JsonObject[] = []
  const followed = new Set<unknown>()
  const pending = [...code]
  for (let read = 0; pending.length > 0 && read < AST_NODE_LIMIT; read++) {
    const node = pending.pop() as JsonObject
    if (node['storageLocation'] === 'storage') {
      const struct = declarationAt(build, nodeIn(node, 'typeName')?.['referencedDeclaration'])
      if (struct) structs.push(struct)
    }
    const target = node['referencedDeclaration']
    if (target !== undefined && !followed.has(target)) {
      followed.add(target)
      const called = declarationAt(build, target)
      if (called?.['nodeType'] === 'FunctionDefinition' && isShared(build, called)) pending.push(called)
    }
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) {
        for (const item of value) if (isObject(item)) pending.push(item)
      } else if (isObject(value)) pending.push(value)
    }
  }
  return structs.toSorted((a, b) => Number(a['id']) - Number(b['id']))
}

/** Whether a function belongs to a library or a file, so that it runs on the storage of the contract that calls it. */
function isShared(build: Build, { scope }: JsonObject): boolean {
  const owner = declarationAt(build, scope)
  return owner === undefined || owner['contractKind'] === 'library'
}

function declarationAt(build: Build, id: unknown): JsonObject | undefined {
  return isDeclaration(id) ? declarationNode(build, id) : undefined
}

/** Lays out types as the compiler does. Its methods return `undefined` for what they do not know. */
class Layout {
  readonly #build: Build
  readonly #types: Map<string, LayoutType>
  readonly #budget: { left: number }

  /** @param budget - Types and members that may still be visited. */
  constructor(build: Build, types: Map<string, LayoutType>, budget: { left: number }) {
    this.#build = build
    this.#types = types
    this.#budget = budget
  }

  struct(node: JsonObject, depth: number): LayoutType | undefined {
    const name = nameOf(node, 'canonicalName') || nameOf(node, 'name')
    const id = `t_struct(${name})${String(node['id'])}_storage`
    const known = this.#types.get(id)
    if (known) return known
    // A mapping or a dynamic array in it may lead back to it, but it cannot contain itself, so its size is not needed yet.
    const base = {
      id,
      label: `struct ${name}`,
      encoding: 'inplace',
      base: undefined,
      key: undefined,
      value: undefined,
      word: undefined,
    } as const
    this.#types.set(id, { ...base, bytes: 32, members: [] })
    const placed = this.place(nodesIn(node, 'members'), depth)
    return placed && this.#add({ ...base, bytes: Number(placed.slots) * 32, members: placed.members })
  }

  /** Places variables one after the other, as many as fit into a slot. */
  place(
    variables: readonly JsonObject[],
    depth: number,
  ): { readonly members: readonly LayoutVariable[]; readonly slots: bigint } | undefined {
    const members: LayoutVariable[] = []
    let slot = 0n
    let offset = 0
    for (const member of variables) {
      const type = this.#typeOf(nodeIn(member, 'typeName'), depth + 1)
      if (!type) return undefined
      const isPacked = type.bytes < 32 && type.members.length === 0 && type.base === undefined
      if (offset > 0 && (!isPacked || offset + type.bytes > 32)) {
        slot++
        offset = 0
      }
      members.push({ label: nameOf(member, 'name'), slot, offset, type: type.id })
      if (isPacked) offset += type.bytes
      else slot += BigInt(Math.ceil(type.bytes / 32))
    }
    return { members, slots: slot + (offset > 0 ? 1n : 0n) }
  }

  #typeOf(node: JsonObject | undefined, depth: number): LayoutType | undefined {
    if (!node || depth > DEPTH_LIMIT || this.#budget.left-- <= 0) return undefined
    switch (node['nodeType']) {
      case 'ElementaryTypeName':
        return this.#elementary(optionalText(node['name']) ?? '')
      case 'UserDefinedTypeName':
        return this.#userDefined(node['referencedDeclaration'], depth)
      case 'ArrayTypeName':
        return this.#array(node, depth)
      case 'Mapping': {
        const key = this.#typeOf(nodeIn(node, 'keyType'), depth + 1)
        const value = this.#typeOf(nodeIn(node, 'valueType'), depth + 1)
        if (!key || !value) return undefined
        const label = `mapping(${key.label} => ${value.label})`
        const id = `t_mapping(${key.id},${value.id})`
        return this.#plain(id, label, 32, { encoding: 'mapping', key: key.id, value: value.id })
      }
      case 'FunctionTypeName': {
        const isExternal = node['visibility'] === 'external'
        const id = `t_function_${isExternal ? 'external' : 'internal'}`
        return this.#plain(id, 'function', isExternal ? 24 : 8)
      }
      default:
        return undefined
    }
  }

  #elementary(name: string): LayoutType | undefined {
    if (name === 'string' || name === 'bytes') return this.#plain(`t_${name}_storage`, name, 32, { encoding: 'bytes' })
    const bytes = elementaryBytes(name)
    return bytes === undefined ? undefined : this.#plain(`t_${name}`, name, bytes)
  }

  #userDefined(declaration: unknown, depth: number): LayoutType | undefined {
    const node = declarationAt(this.#build, declaration)
    if (!node) return undefined
    const name = nameOf(node, 'canonicalName') || nameOf(node, 'name')
    switch (node['nodeType']) {
      case 'StructDefinition':
        return this.struct(node, depth)
      case 'ContractDefinition':
        return this.#plain(`t_contract(${name})${String(node['id'])}`, `contract ${name}`, 20)
      case 'EnumDefinition':
        return this.#plain(`t_enum(${name})${String(node['id'])}`, `enum ${name}`, 1)
      case 'UserDefinedValueTypeDefinition': {
        const underlying = this.#typeOf(nodeIn(node, 'underlyingType'), depth + 1)
        return underlying && this.#plain(`t_userDefinedValueType(${name})${String(node['id'])}`, name, underlying.bytes)
      }
      default:
        return undefined
    }
  }

  #array(node: JsonObject, depth: number): LayoutType | undefined {
    const base = this.#typeOf(nodeIn(node, 'baseType'), depth + 1)
    if (!base) return undefined
    // The length may be any constant expression; the type's identifier has its value.
    const described = optionalText(nodeIn(node, 'typeDescriptions')?.['typeIdentifier']) ?? ''
    const length = /_\$(dyn|\d{1,78})_storage(?:_ptr)?$/.exec(described)?.[1]
    if (length === undefined) return undefined
    const id = `t_array(${base.id})${length}_storage`
    if (length === 'dyn') {
      return this.#plain(id, `${base.label}[]`, 32, { encoding: 'dynamic_array', base: base.id })
    }
    const items = Number(length)
    const perSlot = base.bytes < 32 ? Math.floor(32 / base.bytes) : 1
    const slots = perSlot > 1 ? Math.ceil(items / perSlot) : items * Math.ceil(base.bytes / 32)
    if (!Number.isSafeInteger(slots * 32)) return undefined
    return this.#plain(id, `${base.label}[${length}]`, slots * 32, { base: base.id })
  }

  #plain(id: string, label: string, bytes: number, more: Partial<LayoutType> = {}): LayoutType {
    const empty = { encoding: 'inplace', base: undefined, key: undefined, value: undefined, members: [] } as const
    const word = wordTypeOf(this.#build, id)
    return this.#types.get(id) ?? this.#add({ ...empty, id, label, bytes, word, ...more })
  }

  #add(type: LayoutType): LayoutType {
    // A compiler gives every type a size, but an AST may describe types without one.
    const sized = { ...type, bytes: Math.max(1, type.bytes) }
    this.#types.set(type.id, sized)
    return sized
  }
}

function nameOf(node: JsonObject, key: 'name' | 'canonicalName'): string {
  return (optionalText(node[key]) ?? '').slice(0, NAME_LIMIT)
}

function elementaryBytes(name: string): number | undefined {
  if (name === 'bool') return 1
  if (name.startsWith('address')) return 20
  const [, kind = '', digits] = /^(uint|int|bytes)(\d{0,3})$/.exec(name) ?? []
  if (kind === '' || (kind === 'bytes' && !digits)) return undefined
  const bytes = digits ? Number(digits) / (kind === 'bytes' ? 1 : 8) : 32
  return Number.isInteger(bytes) && bytes >= 1 && bytes <= 32 ? bytes : undefined
}
