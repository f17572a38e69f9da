import { readFile } from 'node:fs/promises'
import { DEV_MNEMONIC } from '#rpc-types/dev-keys.ts'
import type { AccountOption, NodeOptions } from '#rpc-types/node-options.ts'
import type { AccountOptions, RunCommand } from './cli.ts'
import { parseGenesisFile } from './genesis-file.ts'
import { deriveKeys, normalizeMnemonic } from './mnemonic.ts'
import { UsageError } from './usage-error.ts'

const DEFAULT_COUNT = 10
/** Wei: 10,000 ETH. */
const DEFAULT_BALANCE = 10_000n * 10n ** 18n

/** A command with its files read and its accounts derived. */
export interface ResolvedOptions {
  readonly options: NodeOptions
  /** Whether the accounts come from a mnemonic that not everyone knows. */
  readonly ownMnemonic: boolean
  /** Sentences for the banner. */
  readonly notes: readonly string[]
}

/**
 * Everything that the node has to be given.
 *
 * @throws {UsageError} If the mnemonic or the genesis file makes no sense.
 */
export async function resolveOptions({ options, accounts, genesisFile }: RunCommand): Promise<ResolvedOptions> {
  const mnemonic = accounts.mnemonic === undefined ? DEV_MNEMONIC : normalizeMnemonic(accounts.mnemonic)
  // Accounts that nobody sets are left to the node: a chain that goes on keeps those that it was started with.
  const resolved =
    Object.keys(accounts).length === 0 ? options : { ...options, accounts: await createAccounts(mnemonic, accounts) }
  const ownMnemonic = mnemonic !== DEV_MNEMONIC
  if (genesisFile === undefined) return { options: resolved, ownMnemonic, notes: [] }
  const { genesis, chainId, unused } = parseGenesisFile(await readGenesis(genesisFile), genesisFile)
  return {
    // What the command line says goes before the file.
    options: { ...(chainId === undefined ? {} : { chainId }), ...resolved, genesis },
    ownMnemonic,
    notes: [
      `Block 0 has the accounts of ${genesisFile}.`,
      ...(unused.length > 0 ? [`Not used from that file: ${unused.join(', ')}.`] : []),
    ],
  }
}

async function createAccounts(
  mnemonic: string,
  { count = DEFAULT_COUNT, balance = DEFAULT_BALANCE }: AccountOptions,
): Promise<readonly AccountOption[]> {
  const keys = await deriveKeys(mnemonic, count)
  return keys.map((key) => ({ ...key, balance: String(balance) }))
}

async function readGenesis(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new UsageError(`There is no file ${file} (--genesis).`, { cause: error })
    throw new UsageError(`${file} cannot be read (--genesis): ${(error as Error).message}`, { cause: error })
  }
}
