import { toQuantity } from '#primitives/hex.ts'
import { createPacer } from '../../evm/pacer.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../spec/system-contracts.ts'
import { putAccount } from '../../state/edit-account.ts'
import type { WorldState } from '../../state/world-state.ts'
import { type CallerContext, defineMethod } from '../define-method.ts'
import { formatStateDump } from '../format/state-dump.ts'
import { snapshotId } from '../params/dev-params.ts'
import { type DumpedAccounts, stateDump } from '../params/state-dump-params.ts'
import { answeringTrue } from './answering.ts'

/** What they know of this chain's blocks does not come from another one. */
const SYSTEM_CONTRACTS: readonly string[] = [BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS]

/** Remembers the chain; the snapshot's id. */
export const takeSnapshot = ({ control }: CallerContext) => control.snapshot()

/** Goes back to a snapshot; `false` if there is none with that id. */
export const revertToSnapshot = ({ control }: CallerContext, id: bigint) => control.revertTo(toQuantity(id))

/** Starts the chain over, and forgets what was set on the node. */
export async function resetNode({ bundles, control, impersonated, settings }: CallerContext): Promise<void> {
  await control.reset()
  impersonated.clear()
  bundles.clear()
  settings.reset()
}

/** The state at `pending` as JSON. */
export function dumpState({ chain, clock }: CallerContext) {
  return formatStateDump(chain.pending().state, createPacer(clock))
}

/** Puts accounts in the place of those with their addresses. */
export function putAccounts(state: WorldState, accounts: DumpedAccounts): void {
  for (const [address, content] of accounts) {
    if (!SYSTEM_CONTRACTS.includes(address)) putAccount(state, address, content)
  }
}

/** `devnet_snapshot`. */
export const devnetSnapshot = defineMethod('devnet_snapshot', [], takeSnapshot)

/** `devnet_revert`. */
export const devnetRevert = defineMethod('devnet_revert', [snapshotId], revertToSnapshot)

/** `devnet_reset`. */
export const devnetReset = defineMethod('devnet_reset', [], answeringTrue(resetNode))

/** `devnet_exportState`: every account. */
export const devnetExportState = defineMethod('devnet_exportState', [], dumpState)

/** `devnet_importState`: every account of the dump, and no other. */
export const devnetImportState = defineMethod(
  'devnet_importState',
  [stateDump],
  answeringTrue(({ control }, accounts: DumpedAccounts) =>
    control.edit((state) => {
      for (const [address] of [...state.snapshot().accounts()]) {
        if (!SYSTEM_CONTRACTS.includes(address)) state.setAccount(address, undefined)
      }
      putAccounts(state, accounts)
    }),
  ),
)
