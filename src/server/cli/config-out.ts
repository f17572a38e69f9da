import { realpath, writeFile } from 'node:fs/promises'
import { createSpec } from '#node/spec/create-spec.ts'
import { bytesToHex } from '#primitives/hex.ts'
import { ask } from '#rpc-types/ask.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { DEV_MNEMONIC } from '#rpc-types/dev-keys.ts'
import type { RpcBlock } from '#rpc-types/objects.ts'
import { replaceFile, statIfThere } from '#server/state/replace-file.ts'
import type { AccountOptions } from './cli.ts'
import { normalizeMnemonic, USUAL_PATH } from './mnemonic.ts'
import type { ResolvedOptions } from './resolve-options.ts'
import { UsageError } from './usage-error.ts'

/**
 * Writes the accounts, their keys and the fees to a file that only this user can read, in anvil's JSON.
 *
 * @throws {UsageError} If it cannot be written.
 */
export async function writeConfig(
  file: string,
  { options, ownMnemonic, newMnemonic }: ResolvedOptions,
  { mnemonic, derivationPath = USUAL_PATH }: AccountOptions,
  node: RpcEndpoint,
): Promise<void> {
  const { accounts, gasLimit } = createSpec(options)
  const genesis = (await ask(node, 'eth_getBlockByNumber', '0x0', false)) as RpcBlock
  const gasPrice = (await ask(node, 'eth_gasPrice')) as string
  const known = newMnemonic ?? (mnemonic === undefined ? undefined : normalizeMnemonic(mnemonic))
  const config = {
    available_accounts: accounts.map(({ address }) => address),
    private_keys: accounts.flatMap(({ privateKey }) => (privateKey ? [bytesToHex(privateKey)] : [])),
    // A resumed chain does not know its mnemonic: it stores only the keys.
    wallet:
      known === undefined && ownMnemonic
        ? null
        : { mnemonic: known ?? DEV_MNEMONIC, derivation_path: `${derivationPath}/` },
    base_fee: String(BigInt(genesis.baseFeePerGas)),
    gas_price: String(BigInt(gasPrice)),
    gas_limit: String(gasLimit),
    genesis_timestamp: String(BigInt(genesis.timestamp)),
  }
  try {
    const text = `${JSON.stringify(config, undefined, 2)}\n`
    const there = await statIfThere(file)
    // A terminal or a pipe cannot be replaced.
    if (there && !there.isFile()) await writeFile(file, text)
    else await replaceFile(there ? await realpath(file) : file, text)
  } catch (error) {
    throw new UsageError(`${file} cannot be written (--config-out): ${(error as Error).message}.`, { cause: error })
  }
}
