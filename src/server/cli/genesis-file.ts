import { isObject } from '#primitives/json-object.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { UsageError } from './usage-error.ts'

/** The parts of a genesis file that a node uses. */
export interface GenesisFile {
  /** Not validated here; the node does that. */
  readonly genesis: NonNullable<NodeOptions['genesis']>
  /** The chain id of `config`. */
  readonly chainId?: number
  /** Members that are not used here. */
  readonly unused: readonly string[]
}

/**
 * Reads geth's genesis JSON, or an object of accounts by their address.
 *
 * @param name - Names the file in the error.
 * @throws {UsageError} If it is neither.
 */
export function parseGenesisFile(text: string, name: string): GenesisFile {
  const file = parseObject(text, name)
  if (!('alloc' in file)) return { genesis: file as GenesisFile['genesis'], unused: [] }
  const { alloc, config, ...rest } = file
  if (typeof alloc !== 'object' || alloc === null || Array.isArray(alloc)) {
    throw new UsageError(`${name}: "alloc" must be an object of accounts by their address.`)
  }
  const chainId: unknown =
    typeof config === 'object' && config !== null && 'chainId' in config ? config.chainId : undefined
  if (chainId !== undefined && typeof chainId !== 'number') {
    throw new UsageError(`${name}: "config.chainId" must be a number.`)
  }
  return {
    genesis: alloc as GenesisFile['genesis'],
    ...(chainId === undefined ? {} : { chainId }),
    unused: Object.keys(rest),
  }
}

function parseObject(text: string, name: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as SyntaxError).message}`, { cause: error })
  }
  if (isObject(value)) return value
  throw new UsageError(`${name} must hold an object: geth's genesis, or accounts by their address.`)
}
