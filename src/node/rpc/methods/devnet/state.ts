import type { WorldState } from '../../../state/world-state.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { answeringTrue } from '../anvil/answering.ts'
import { snapshotId } from '../anvil/anvil-params.ts'
import {
  dumpState,
  putAccounts,
  readAccounts,
  resetNode,
  revertToSnapshot,
  SYSTEM_CONTRACTS,
  takeSnapshot,
} from '../anvil/state.ts'
import { type DumpedAccounts, type RawAccounts, stateDump } from '../anvil/state-dump-params.ts'

function* replaceAccounts(state: WorldState, accounts: DumpedAccounts): Generator<void, void> {
  for (const [address] of [...state.snapshot().accounts()]) {
    if (!SYSTEM_CONTRACTS.includes(address)) state.setAccount(address, undefined)
    yield
  }
  yield* putAccounts(state, accounts)
}

/** Snapshots, the reset, and state dumps. */
export const DEVNET_STATE_METHODS = {
  devnet_snapshot: defineMethod([], takeSnapshot),

  devnet_revert: defineMethod([snapshotId], revertToSnapshot),

  devnet_reset: defineMethod([], answeringTrue(resetNode)),

  /** Exports every account. */
  devnet_exportState: defineMethod([], dumpState, { queue: 'answer' }),

  /** Replaces all accounts with those of the dump. */
  devnet_importState: defineMethod(
    [stateDump],
    answeringTrue(async (context, raw: RawAccounts) => {
      const accounts = await readAccounts(context, raw)
      return context.control.editInSteps((state) => replaceAccounts(state, accounts))
    }),
  ),
} satisfies Partial<MethodTable>
