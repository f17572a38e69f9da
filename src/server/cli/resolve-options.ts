import { DEV_MNEMONIC } from '#rpc-types/dev-keys.ts'
import { dialectOf } from '#rpc-types/dialects.ts'
import type { AccountOption, NodeOptions } from '#rpc-types/node-options.ts'
import type { AccountOptions, RunCommand } from './cli.ts'
import { parseGenesisFile } from './genesis-file.ts'
import { createMnemonic, deriveKeys, normalizeMnemonic, seedMnemonic } from './mnemonic.ts'
import { numberKindOf } from './read-flag.ts'
import { readTextFile } from './read-text-file.ts'

/** Wei: 10,000 ETH. */
const DEFAULT_BALANCE = 10_000n * 10n ** 18n

/** Bytes of a genesis file, at most: as of a state in JSON. */
const MAX_GENESIS_BYTES = 32 * 1024 * 1024

/** A command with its files read and its accounts derived. */
export interface ResolvedOptions {
  readonly options: NodeOptions
  /** Whether the accounts come from a mnemonic that not everyone knows. */
  readonly ownMnemonic: boolean
  /** A mnemonic made for this run, at random or from a seed. */
  readonly newMnemonic?: string
  /** Sentences for the banner. */
  readonly notes: readonly string[]
}

/**
 * All options for the node.
 *
 * @throws {UsageError} If the mnemonic or the genesis file makes no sense.
 */
export async function resolveOptions({ options, accounts, genesisFile }: RunCommand): Promise<ResolvedOptions> {
  const newMnemonic = await makeMnemonic(accounts)
  const mnemonic = newMnemonic ?? normalizeMnemonic(accounts.mnemonic ?? DEV_MNEMONIC)
  // Without account options the node decides: a resumed chain keeps the accounts of its start.
  const resolved =
    Object.keys(accounts).length === 0
      ? options
      : { ...options, accounts: await createAccounts(mnemonic, { ...ownCount(options), ...accounts }) }
  const origin = { ownMnemonic: mnemonic !== DEV_MNEMONIC, ...(newMnemonic !== undefined && { newMnemonic }) }
  if (genesisFile === undefined) return { options: resolved, ...origin, notes: [] }
  const { genesis, chainId, unused } = parseGenesisFile(
    await readTextFile(genesisFile, MAX_GENESIS_BYTES, '--genesis or --init'),
    genesisFile,
  )
  return {
    // The command line overrides the file.
    options: {
      ...(chainId === undefined ? {} : { chainId }),
      ...resolved,
      genesis: { ...without(options.genesis, genesis), ...genesis },
    },
    ...origin,
    notes: [
      `Block 0 has the accounts of ${genesisFile}.`,
      ...(unused.length > 0 ? [`Not used from that file: ${unused.join(', ')}.`] : []),
    ],
  }
}

async function makeMnemonic({ randomWords, mnemonicSeed }: AccountOptions): Promise<string | undefined> {
  if (mnemonicSeed !== undefined) return seedMnemonic(mnemonicSeed)
  return randomWords === undefined ? undefined : createMnemonic(randomWords)
}

/** The entries of `genesis` whose addresses `others` does not have; geth's have no 0x. */
function without(genesis: NodeOptions['genesis'], others: NonNullable<NodeOptions['genesis']>): NodeOptions['genesis'] {
  const taken = new Set(Object.keys(others).map((address) => address.toLowerCase().replace(/^0x/, '')))
  return Object.fromEntries(Object.entries(genesis ?? {}).filter(([address]) => !taken.has(address.slice(2))))
}

/** How many accounts there are, if nobody says. */
function ownCount(options: NodeOptions): AccountOptions {
  const { accounts: count } = dialectOf(options) ?? {}
  return count === undefined ? {} : { count }
}

async function createAccounts(
  mnemonic: string,
  { count = numberKindOf('accounts').default, balance = DEFAULT_BALANCE, derivationPath }: AccountOptions,
): Promise<readonly AccountOption[]> {
  const keys = await deriveKeys(mnemonic, count, derivationPath)
  return keys.map((key) => ({ ...key, balance: String(balance) }))
}
