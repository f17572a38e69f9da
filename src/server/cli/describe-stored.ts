import type { ChainRecord } from '#node/persistence/records.ts'
import { invariant } from '#primitives/invariant.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { DevnetStatus } from '#rpc-types/devnet.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
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
  const { head, mode, partialMs, partialsPerBlock, speed, paused } = await askStatus(node)
  return {
    options: { ...options, mode, partialMs, partialsPerBlock, speed },
    ownMnemonic: first?.address !== DEV_KEYS[0]?.address,
    notes: [
      ...resolved.notes,
      `The chain in ${directory} goes on after block ${Number(head.number)}.${paused ? ' It is paused: devnet_resume.' : ''}`,
    ],
  }
}

async function askStatus(node: RpcEndpoint): Promise<DevnetStatus> {
  const caller = node.connect()
  const body = await caller.handle('{"jsonrpc":"2.0","id":1,"method":"devnet_status","params":[]}')
  caller.close()
  const answer = JSON.parse(body ?? '{}') as JsonRpcResponse
  invariant('result' in answer, 'the node answers devnet_status')
  return answer.result as DevnetStatus
}
