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

/** Snapshots, the reset, and the state as one object. */
export const DEVNET_STATE_METHODS = {
  devnet_snapshot: defineMethod([], takeSnapshot),

  devnet_revert: defineMethod([snapshotId], revertToSnapshot),

  devnet_reset: defineMethod([], answeringTrue(resetNode)),

  /** Every account. */
  devnet_exportState: defineMethod([], dumpState, { queue: 'answer' }),

  /** Every account of the dump, and no other. */
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
