import type { Build, BuildContract } from '#solidity/build/build.ts'
import { BuildError } from '#solidity/build/json.ts'
import { namespacesOf, transientLayout } from './namespaces.ts'
import { readStorageLayout, type StorageLayout } from './storage-layout.ts'

/** Cached layouts; `false` if the contract has none. */
const LAYOUTS = new WeakMap<BuildContract, StorageLayout | false>()

/**
 * A contract's storage layout: its variables, then its namespaces (ERC-7201). `undefined` if the build has none, or a
 * malformed one.
 */
export function layoutOf(
  recognised: { readonly build: Build; readonly contract: BuildContract } | undefined,
): StorageLayout | undefined {
  if (!recognised) return undefined
  const { build, contract } = recognised
  const known = LAYOUTS.get(contract) ?? withNamespaces(readOrNone(contract.storageLayout, build), build, contract)
  LAYOUTS.set(contract, known)
  return known || undefined
}

const TRANSIENT = new WeakMap<BuildContract, StorageLayout>()

/** The layout of a contract's transient variables; without any if the build has no AST. */
export function transientLayoutOf({
  build,
  contract,
}: {
  readonly build: Build
  readonly contract: BuildContract
}): StorageLayout {
  const known = TRANSIENT.get(contract) ?? transientLayout(build, contract)
  TRANSIENT.set(contract, known)
  return known
}

function withNamespaces(layout: StorageLayout | false, build: Build, contract: BuildContract): StorageLayout | false {
  if (!layout) return false
  const named = namespacesOf(build, contract)
  if (named.variables.length === 0) return layout
  return {
    variables: [...layout.variables, ...named.variables],
    types: new Map([...named.types, ...layout.types]),
  }
}

function readOrNone(value: unknown, build: Build): StorageLayout | false {
  try {
    return readStorageLayout(value, build) ?? false
  } catch (error) {
    if (error instanceof BuildError) return false
    throw error
  }
}
