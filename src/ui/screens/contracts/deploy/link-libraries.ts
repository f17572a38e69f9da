import type { CompiledContract } from '#compiler/messages.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'

/** A compiled contract with bytecode. */
export type Deployable = CompiledContract & { readonly bytecode: Hex }

/** Addresses of libraries, by `keyOf`. */
export type Links = ReadonlyMap<string, Address>

/** A compiled contract's identity: two files may have contracts of the same name. */
export function keyOf({ file, name }: Pick<CompiledContract, 'file' | 'name'>): string {
  return `${file}:${name}`
}

/** A contract's name, with its file if another has the same name. */
export function nameAmong(
  { file, name }: Pick<CompiledContract, 'file' | 'name'>,
  contracts: readonly CompiledContract[],
): string {
  return contracts.some((other) => other.name === name && other.file !== file) ? `${name} (${file})` : name
}

export function isDeployable(contract: CompiledContract): contract is Deployable {
  return contract.bytecode !== undefined
}

/** A library that a contract needs, or that another library needs. */
export interface NeededLibrary {
  readonly key: string
  readonly name: string
  readonly file: string
  /** The library's own contract; `undefined` if an address is required, as for libraries that need each other. */
  readonly contract: Deployable | undefined
}

/**
 * The libraries that a contract needs, in the order in which they can be deployed: each after those that it needs itself.
 *
 * @param contracts - All contracts of the compilation.
 * @param given - Keys of libraries that are already deployed. What only these need is left out.
 */
export function neededLibraries(
  contract: CompiledContract,
  contracts: readonly CompiledContract[],
  given: ReadonlySet<string> = new Set(),
): readonly NeededLibrary[] {
  const all = new Map(contracts.map((each) => [keyOf(each), each]))
  const order = new Map<string, NeededLibrary>()
  /** From the contract to the library that is being visited. */
  const path = new Set<string>()
  const circular = new Set<string>()
  function visit({ links }: CompiledContract): void {
    for (const { file, name } of links) {
      const key = keyOf({ file, name })
      if (path.has(key)) circular.add(key)
      if (path.has(key) || order.has(key)) continue
      const library = all.get(key)
      path.add(key)
      if (library && !given.has(key)) visit(library)
      path.delete(key)
      const canDeploy = library && isDeployable(library) && !circular.has(key)
      order.set(key, { key, name, file, contract: canDeploy ? library : undefined })
    }
  }
  visit(contract)
  return [...order.values()]
}

/** Puts addresses of libraries into a contract's code. */
export function linkCode({ bytecode, links }: Deployable, addresses: Links): Hex {
  let code = bytecode
  for (const link of links) {
    const address = addresses.get(keyOf(link))
    invariant(address, `the library ${link.name} has an address`)
    for (const offset of link.offsets) {
      const at = 2 + 2 * offset
      code = `${code.slice(0, at) as Hex}${address.slice(2)}${code.slice(at + 40)}`
    }
  }
  return code
}
