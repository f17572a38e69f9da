import { toQuantity } from '#primitives/hex.ts'
import type { Withdrawal } from '../../../sequencer/control.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { optional } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'
import { MAX_PLANS } from '../../planned-failures.ts'
import { delayMs, nextFate, plannedFailure, preferredHashes, timing, withdrawnFate } from './fault-params.ts'

/** Blocks that one call seals. */
const MAX_SEALS = 100_000

const MAX_STALL = 1_000_000

/** More than any chain is long, or a block has partial blocks. */
const MAX_DEPTH = 2 ** 32

/** Faults, and blocks sealed by hand. */
export const DEVNET_FAULT_METHODS = {
  /** Seals blocks now, whatever the clock says. */
  devnet_seal: defineMethod([optional(integerWithin(1, MAX_SEALS), 1)], async ({ control, caller }, n) => {
    const { header, hash } = await control.seal(n, undefined, caller)
    return { number: toQuantity(header.number), hash }
  }),

  /** How a block's time is divided, from the next block on. */
  devnet_setTiming: defineMethod([timing], ({ control }, change) => {
    control.setTiming(change)
    return true
  }),

  /** Withdraws pre-confirmations. */
  devnet_dropPartialBlocks: defineMethod(
    [optional(integerWithin(1, MAX_DEPTH), 1), optional(withdrawnFate, 'requeue')],
    async ({ chain, control }, n, fate) => {
      const withdrawn = await control.dropPartialBlocks(n, fate)
      const { header, index } = chain.pending()
      return { number: toQuantity(header.number), index, withdrawn: withdrawn.map(({ hash }) => hash) }
    },
  ),

  /** Withdraws pre-confirmations as soon as there are any. */
  devnet_withdrawNext: defineMethod(
    [optional(nextFate, 'requeue'), optional(preferredHashes, [])],
    async ({ control }, fate, prefer) => {
      const withdrawal = await control.withdrawNext(fate === 'none' ? undefined : fate, new Set(prefer))
      return withdrawal ? formatWithdrawal(withdrawal) : null
    },
  ),

  /** Takes sealed blocks back. */
  devnet_reorg: defineMethod(
    [optional(integerWithin(1, MAX_DEPTH), 1), optional(withdrawnFate, 'requeue')],
    async ({ chain, control }, depth, fate) => {
      const removed = await control.reorg(depth, fate)
      const { header, hash } = chain.head()
      return { head: { number: toQuantity(header.number), hash }, removed: removed.map((block) => block.hash) }
    },
  ),

  /** Ticks that pre-confirm nothing. */
  devnet_stallPartialBlocks: defineMethod([integerWithin(0, MAX_STALL)], ({ control }, ticks) => {
    control.stallPartialBlocks(ticks)
    return true
  }),

  /** The live block is sealed later than scheduled. */
  devnet_delaySeal: defineMethod([delayMs], ({ control }, ms) => {
    control.delaySeal(ms)
    return true
  }),

  /** Coming calls fail, or are answered late. */
  devnet_failNext: defineMethod([plannedFailure], ({ settings, methodNames }, failure) => {
    const unknown = failure.methods.find((name) => !methodNames.includes(name))
    if (unknown !== undefined) {
      throw new RpcRefusedError('invalid-params', `invalid argument 0: there is no method ${unknown}`)
    }
    if (!settings.failures.plan(failure)) {
      const hint = 'let them happen, or take them back with times 0'
      throw new RpcRefusedError('limit-exceeded', `too many planned failures: at most ${MAX_PLANS} at a time, ${hint}`)
    }
    return true
  }),
} satisfies Partial<MethodTable>

/** A withdrawal as the node answers it. */
export function formatWithdrawal(withdrawal: Withdrawal) {
  return { ...withdrawal, number: toQuantity(withdrawal.number) }
}
