import type { Address, Hash } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { BuildError } from '#solidity/build/json.ts'
import type { StorageLeaf } from '#solidity/storage/locate.ts'
import {
  asStored,
  placeVariable,
  readVariable,
  type StorageKey,
  type StoredValue,
  VariableError,
} from '#solidity/storage/read-variable.ts'
import { readStorageLayout, type StorageLayout } from '#solidity/storage/storage-layout.ts'
import type { AskChain } from './expected-chain.ts'

/** Most slots that one value may have. */
const MOST_SLOTS = 10_000
/** How many of them are asked for at a time. */
const AT_ONCE = 200

/** What stands in a place of an account's storage. */
export interface FoundStorage {
  /** `balances[0x…].amount`. */
  readonly path: string
  /** As in the source. */
  readonly type: string
  /** `undefined` if it is an item that its array does not have. */
  readonly value: StoredValue | undefined
  /** What the test wants, in the form of `value`. */
  readonly wanted: unknown
}

/**
 * Reads a variable of a contract in the pending block.
 *
 * @throws {TypeError} If the layout is none, or does not have that variable.
 */
export async function readStorage(
  ask: AskChain,
  address: Address,
  { source, variable, keys }: { source: unknown; variable: string; keys: readonly StorageKey[] },
  wanted: unknown,
): Promise<FoundStorage> {
  const layout = layoutFrom(source)
  return explained(async () => {
    const leaf = placeVariable(layout, variable, keys)
    const value = await readWhole(ask, address, layout, leaf)
    return { path: leaf.path, type: leaf.type.label, value, wanted: asStored(layout, leaf.type, wanted) }
  })
}

function layoutFrom(source: unknown): StorageLayout {
  const outer = isObject(source) && isObject(source['storageLayout']) ? source['storageLayout'] : source
  try {
    const layout = readStorageLayout(outer)
    if (layout) return layout
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    throw new TypeError(`the layout cannot be read: ${error.message}`, { cause: error })
  }
  throw new TypeError(
    'layout is the compiler’s storageLayout, or an artifact that has it: ask for it with extra_output = ["storageLayout"] in foundry.toml, or outputSelection in Hardhat',
  )
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof VariableError)) throw error
    throw new TypeError(error.message, { cause: error })
  }
}

/** Asks for the slots that reading needs, until it needs no more. */
async function readWhole(
  ask: AskChain,
  address: Address,
  layout: StorageLayout,
  leaf: StorageLeaf,
): Promise<StoredValue | undefined> {
  const known = new Map<Hash, Hash>()
  for (;;) {
    const lacking = new Set<Hash>()
    const value = readVariable(layout, leaf, {
      get(slot) {
        const word = known.get(slot)
        if (word === undefined) lacking.add(slot)
        return word
      },
    })
    if (lacking.size === 0) return value
    if (known.size + lacking.size > MOST_SLOTS) {
      throw new VariableError(`${leaf.path} has more than ${MOST_SLOTS} slots: name a part of it`)
    }
    const slots = [...lacking]
    for (let at = 0; at < slots.length; at += AT_ONCE) {
      const part = slots.slice(at, at + AT_ONCE)
      const words = await Promise.all(part.map((slot) => ask('eth_getStorageAt', [address, slot, 'pending'])))
      for (const [i, slot] of part.entries()) known.set(slot, words[i] as Hash)
    }
  }
}
