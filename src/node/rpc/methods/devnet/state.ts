import { defineMethod, type MethodTable } from '../../define-method.ts'
import { answeringTrue } from '../anvil/answering.ts'
import { snapshotId } from '../anvil/anvil-params.ts'
import {
  codeBytes,
  dumpState,
  putAccounts,
  requireRoomForCode,
  resetNode,
  revertToSnapshot,
  SYSTEM_CONTRACTS,
  takeSnapshot,
} from '../anvil/state.ts'
import { type DumpedAccounts, stateDump } from '../anvil/state-dump-params.ts'

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
    answeringTrue((context, accounts: DumpedAccounts) => {
      requireRoomForCode(context, codeBytes(accounts))
      return context.control.edit((state) => {
        for (const [address] of [...state.snapshot().accounts()]) {
          if (!SYSTEM_CONTRACTS.includes(address)) state.setAccount(address, undefined)
        }
        putAccounts(state, accounts)
      })
    }),
  ),
} satisfies Partial<MethodTable>
