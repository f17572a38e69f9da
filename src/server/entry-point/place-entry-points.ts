import { existsSync } from 'node:fs'
import path from 'node:path'
import { createNode } from '#node/node.ts'
import { CREATE2_DEPLOYER, CREATE2_DEPLOYER_CODE } from '#node/spec/preinstalled-contracts.ts'
import type { Address, Hex, Quantity } from '#primitives/hex.ts'
import { createSystemClock, type TimerHost } from '#primitives/system-clock.ts'
import { ask } from '#rpc-types/ask.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import type { RpcPrestateDiff } from '#rpc-types/methods/debug.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { DumpedAccount } from '#rpc-types/state-dump.ts'
import { ENTRY_POINTS, type EntryPointVersion } from '#server/cli/entry-points.ts'
import { UsageError } from '#server/cli/usage-error.ts'
import { JOURNAL_FILE } from '#server/journal/file-journal.ts'
import { readEntryPoints } from './read-entry-points.ts'

/** Gas of a creation, at most: what a transaction may have (EIP-7825). */
const GAS: Quantity = '0x1000000'

type Accounts = Record<Address, DumpedAccount>

/** Where a chain comes from. */
interface ChainOrigin {
  readonly fork?: unknown
  readonly forkFile?: unknown
  readonly loadState?: unknown
  readonly data?: string | undefined
}

/** Whether the chain will have a block 0 of its own that is made now. */
export function beginsAnew({ fork, forkFile, loadState, data }: ChainOrigin): boolean {
  if (fork !== undefined || forkFile !== undefined || loadState !== undefined) return false
  return data === undefined || !existsSync(path.join(data, JOURNAL_FILE))
}

/**
 * The options of a new chain, with EntryPoints in its block 0.
 *
 * @param folder - Of the project that has their creation codes.
 * @throws {InvalidOptionError} If an option is invalid.
 * @throws {UsageError} As {@link placeEntryPoints}.
 */
export async function withEntryPoints(
  options: NodeOptions,
  versions: readonly EntryPointVersion[],
  folder: string,
): Promise<NodeOptions> {
  // A chain with the same block 0 otherwise, which nobody else sees.
  const node = await createNode(options, {
    clock: createSystemClock(globalThis as unknown as TimerHost),
    log: () => {},
  })
  try {
    return { ...options, genesis: { ...options.genesis, ...(await missingAccounts(node, versions, folder)) } }
  } finally {
    await node.close()
  }
}

/**
 * Puts EntryPoints into a chain that does not have them, all in one block: what the CREATE2 deployer makes on this chain of
 * what it is sent on every other, the contracts that a constructor creates included. No account pays, and none has another
 * nonce.
 *
 * @param folder - Of the project that has their creation codes.
 * @throws {UsageError} If one of them is not installed there, or cannot be created, as with a smaller `codeSizeLimit`.
 */
export async function placeEntryPoints(
  node: RpcEndpoint,
  versions: readonly EntryPointVersion[],
  folder: string,
): Promise<void> {
  const accounts = await missingAccounts(node, versions, folder)
  if (Object.keys(accounts).length === 0) return
  await ask(node, 'anvil_loadState', { format: 'blinknet-state', version: 1, accounts })
}

async function missingAccounts(
  node: RpcEndpoint,
  versions: readonly EntryPointVersion[],
  folder: string,
): Promise<Accounts> {
  const missing: EntryPointVersion[] = []
  for (const version of versions) {
    if ((await ask(node, 'eth_getCode', ENTRY_POINTS[version].address, 'latest')) === '0x') missing.push(version)
  }
  const accounts: Accounts = {}
  if (missing.length === 0) return accounts
  for (const { version, address, data } of await readEntryPoints(missing, folder)) {
    const created = await createdAccounts(node, data)
    if (!created[address]) throw new UsageError(`The EntryPoint ${version} cannot be created on this chain.`)
    Object.assign(accounts, created)
  }
  return accounts
}

/** The contracts that come of what the deployer is sent. */
async function createdAccounts(node: RpcEndpoint, data: Hex): Promise<Accounts> {
  const { pre, post } = (await ask(node, 'debug_traceCall', { to: CREATE2_DEPLOYER, data, gas: GAS }, 'latest', {
    tracer: 'prestateTracer',
    tracerConfig: { diffMode: true },
    // A chain may be without it.
    stateOverrides: { [CREATE2_DEPLOYER]: { code: CREATE2_DEPLOYER_CODE } },
  })) as RpcPrestateDiff
  const accounts: Accounts = {}
  for (const [key, { code, nonce = 0, balance, storage }] of Object.entries(post)) {
    if (code === undefined) continue
    const address = key as Address
    accounts[address] = {
      nonce: `0x${nonce.toString(16)}`,
      balance: balance ?? pre[address]?.balance ?? '0x0',
      code,
      ...(storage && { storage }),
    }
  }
  return accounts
}
