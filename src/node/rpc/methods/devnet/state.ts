import { MAX_SNAPSHOTS } from '../../../sequencer/snapshots.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { optional, type Param, ParamError } from '../../params/param.ts'
import { answeringTrue } from '../anvil/answering.ts'
import { snapshotId } from '../anvil/anvil-params.ts'
import { dumpState, resetNode, revertToSnapshot, takeSnapshot } from '../anvil/state.ts'
import { type RawAccounts, stateDump } from '../anvil/state-dump-params.ts'

const snapshotIds: Param<readonly bigint[]> = {
  parse(value) {
    if (!Array.isArray(value) || value.length > MAX_SNAPSHOTS) {
      throw new ParamError(`not a list of at most ${MAX_SNAPSHOTS} snapshots`)
    }
    return value.map((id: unknown) => snapshotId.parse(id))
  },
}

/** Snapshots, the reset, and state dumps. */
export const DEVNET_STATE_METHODS = {
  devnet_snapshot: defineMethod([], takeSnapshot),

  devnet_revert: defineMethod([snapshotId], revertToSnapshot),

  /** Starts over from block 0, or from a snapshot. */
  devnet_reset: defineMethod(
    [optional(snapshotId, undefined), optional(snapshotIds, [])],
    async (context, snapshot, kept) => {
      await resetNode(context, snapshot, kept)
      return true as const
    },
  ),

  /** Exports every account. */
  devnet_exportState: defineMethod([], dumpState, { queue: 'answer' }),

  /** Replaces all accounts with those of the dump. */
  devnet_importState: defineMethod(
    [stateDump],
    answeringTrue(async (context, raw: RawAccounts) => {
      const { readAccounts, replaceAccounts } = await import('../anvil/dumped-state.ts')
      const accounts = await readAccounts(context, raw)
      return context.control.editInSteps((state) => replaceAccounts(state, accounts))
    }),
  ),
} satisfies Partial<MethodTable>
