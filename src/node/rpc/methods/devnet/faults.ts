import { toQuantity } from '#primitives/hex.ts'
import type { Withdrawal } from '../../../sequencer/control.ts'
import { defineMethod } from '../../define-method.ts'
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

/** `devnet_seal`: seals blocks now, whatever the clock says. */
export const devnetSeal = defineMethod(
  'devnet_seal',
  [optional(integerWithin(1, MAX_SEALS), 1)],
  async ({ control, caller }, n) => {
    const { header, hash } = await control.seal(n, undefined, caller)
    return { number: toQuantity(header.number), hash }
  },
)

/** `devnet_setTiming`: how a block's time is divided, from the next block on. */
export const devnetSetTiming = defineMethod('devnet_setTiming', [timing], ({ control }, change) => {
  control.setTiming(change)
  return true
})

/** `devnet_dropPartialBlocks`: withdraws pre-confirmations. */
export const devnetDropPartialBlocks = defineMethod(
  'devnet_dropPartialBlocks',
  [optional(integerWithin(1, MAX_DEPTH), 1), optional(withdrawnFate, 'requeue')],
  async ({ chain, control }, n, fate) => {
    const withdrawn = await control.dropPartialBlocks(n, fate)
    const { header, index } = chain.pending()
    return { number: toQuantity(header.number), index, withdrawn: withdrawn.map(({ hash }) => hash) }
  },
)

/** `devnet_withdrawNext`: withdraws pre-confirmations as soon as there are any. */
export const devnetWithdrawNext = defineMethod(
  'devnet_withdrawNext',
  [optional(nextFate, 'requeue'), optional(preferredHashes, [])],
  async ({ control }, fate, prefer) => {
    const withdrawal = await control.withdrawNext(fate === 'none' ? undefined : fate, new Set(prefer))
    return withdrawal ? formatWithdrawal(withdrawal) : null
  },
)

/** A withdrawal as the node answers it. */
export function formatWithdrawal(withdrawal: Withdrawal) {
  return { ...withdrawal, number: toQuantity(withdrawal.number) }
}

/** `devnet_reorg`: takes sealed blocks back. */
export const devnetReorg = defineMethod(
  'devnet_reorg',
  [optional(integerWithin(1, MAX_DEPTH), 1), optional(withdrawnFate, 'requeue')],
  async ({ chain, control }, depth, fate) => {
    const removed = await control.reorg(depth, fate)
    const { header, hash } = chain.head()
    return { head: { number: toQuantity(header.number), hash }, removed: removed.map((block) => block.hash) }
  },
)

/** `devnet_stallPartialBlocks`: ticks that pre-confirm nothing. */
export const devnetStallPartialBlocks = defineMethod(
  'devnet_stallPartialBlocks',
  [integerWithin(0, MAX_STALL)],
  ({ control }, ticks) => {
    control.stallPartialBlocks(ticks)
    return true
  },
)

/** `devnet_delaySeal`: the live block is sealed later than scheduled. */
export const devnetDelaySeal = defineMethod('devnet_delaySeal', [delayMs], ({ control }, ms) => {
  control.delaySeal(ms)
  return true
})

/** `devnet_failNext`: coming calls fail, or are answered late. */
export const devnetFailNext = defineMethod(
  'devnet_failNext',
  [plannedFailure],
  ({ settings, methodNames }, failure) => {
    const unknown = failure.methods.find((name) => !methodNames.includes(name))
    if (unknown !== undefined) {
      throw new RpcRefusedError('invalid-params', `invalid argument 0: there is no method ${unknown}`)
    }
    if (!settings.failures.plan(failure)) {
      const hint = 'let them happen, or take them back with times 0'
      throw new RpcRefusedError('limit-exceeded', `too many planned failures: at most ${MAX_PLANS} at a time, ${hint}`)
    }
    return true
  },
)
