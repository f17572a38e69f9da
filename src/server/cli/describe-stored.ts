import type { ChainRecord } from '#node/persistence/records.ts'
import { ask } from '#rpc-types/ask.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { DevnetStatus } from '#rpc-types/methods/devnet.ts'
import type { ResolvedOptions } from './resolve-options.ts'

/**
 * Describes a resumed chain: it has the options of its earlier run, and the clock may have changed since.
 *
 * @param chain - Its name in a sentence: `The chain in ./chain`.
 */
export async function describeStored(
  resolved: ResolvedOptions,
  chain: string,
  node: RpcEndpoint,
  { options }: ChainRecord,
): Promise<ResolvedOptions> {
  // One mnemonic makes all of them, so the first tells which.
  const [first] = options.accounts ?? DEV_KEYS
  const { head, mode, partialMs, partialsPerBlock, speed, paused } = (await ask(node, 'devnet_status')) as DevnetStatus
  return {
    options: { ...options, mode, partialMs, partialsPerBlock, speed },
    ownMnemonic: first?.address !== DEV_KEYS[0]?.address,
    notes: [
      ...resolved.notes,
      `${chain} goes on after block ${Number(head.number)}.${paused ? ' It is paused: devnet_resume.' : ''}`,
    ],
  }
}
