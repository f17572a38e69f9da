import type { ChainRecord } from '#node/persistence/records.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { DevnetStatus } from '#rpc-types/devnet.ts'
import { ask } from './ask.ts'
import type { ResolvedOptions } from './resolve-options.ts'

/**
 * Describes a chain in a directory: if it continues an earlier run, it has the options of that
 * run, and the clock may have been changed since.
 *
 * @param record - What the directory held before this run; `undefined` of a new chain.
 */
export async function describeStored(
  resolved: ResolvedOptions,
  directory: string,
  node: RpcEndpoint,
  record: ChainRecord | undefined,
): Promise<ResolvedOptions> {
  if (!record) {
    return {
      ...resolved,
      notes: [...resolved.notes, `The chain is kept in ${directory}: it goes on at the next start.`],
    }
  }
  const { options } = record
  // One mnemonic makes all of them, so the first tells which.
  const [first] = options.accounts ?? DEV_KEYS
  const { head, mode, partialMs, partialsPerBlock, speed, paused } = (await ask(node, 'devnet_status')) as DevnetStatus
  return {
    options: { ...options, mode, partialMs, partialsPerBlock, speed },
    ownMnemonic: first?.address !== DEV_KEYS[0]?.address,
    notes: [
      ...resolved.notes,
      `The chain in ${directory} goes on after block ${Number(head.number)}.${paused ? ' It is paused: devnet_resume.' : ''}`,
    ],
  }
}
