import type { Address, Hash } from '#primitives/hex.ts'
import type { GivenFlags } from './read-arguments.ts'
import { readAll } from './read-flag.ts'

/** Where an EntryPoint stands on every chain, and the salt by which the CREATE2 deployer makes it there. */
interface EntryPointPlace {
  readonly address: Address
  readonly salt: Hash
}

/**
 * The EntryPoints of ERC-4337 whose creation code is published.
 *
 * @see {@link https://github.com/eth-infinitism/account-abstraction/releases | Releases}
 */
export const ENTRY_POINTS = {
  '0.6': {
    address: '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
    salt: '0x0000000000000000000000000000000000000000000000000000000000000000',
  },
  '0.7': {
    address: '0x0000000071727de22e5e9d8baf0edac6f37da032',
    salt: '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
  },
  '0.8': {
    address: '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
    salt: '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
  },
} as const satisfies Readonly<Record<string, EntryPointPlace>>

export type EntryPointVersion = keyof typeof ENTRY_POINTS

export const ENTRY_POINT_VERSIONS = Object.keys(ENTRY_POINTS) as readonly EntryPointVersion[]

/** What an option takes, for errors. */
const TAKES_ENTRY_POINTS = `${ENTRY_POINT_VERSIONS.map((version) => JSON.stringify(version)).join(', ')}, or several`

/** The EntryPoints that the chain begins with, if it does not have them. @throws {UsageError} If there is no such version. */
export function parseEntryPoints(given: GivenFlags): { readonly entryPoints?: readonly EntryPointVersion[] } {
  const versions = new Set(readAll(given, 'entrypoint', TAKES_ENTRY_POINTS, versionsOf).flat())
  return versions.size === 0 ? {} : { entryPoints: [...versions] }
}

/**
 * The versions of an option that is a version or a list of them.
 *
 * @throws {TypeError} If it is neither.
 */
export function checkEntryPoints(value: unknown): readonly EntryPointVersion[] {
  const versions = typeof value === 'string' ? versionsOf(value) : Array.isArray(value) && versionsIn(value)
  if (versions && versions.length > 0) return versions
  throw new TypeError(`entrypoint must be ${TAKES_ENTRY_POINTS}`)
}

/** The versions that a text names, such as `0.7,0.8`, each once; `undefined` if it names another. */
function versionsOf(text: string): readonly EntryPointVersion[] | undefined {
  return versionsIn(text.split(','))
}

function versionsIn(names: readonly unknown[]): readonly EntryPointVersion[] | undefined {
  const versions = new Set<EntryPointVersion>()
  for (const name of names) {
    const version = ENTRY_POINT_VERSIONS.find((known) => known === name)
    if (version === undefined) return undefined
    versions.add(version)
  }
  return [...versions]
}
