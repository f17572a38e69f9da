import { toQuantity } from '#primitives/hex.ts'
import { countByPartial } from '../../../payload/count-by-partial.ts'
import { changedOptions } from '../../../spec/create-spec.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { blockRef, findBlock } from '../../params/block-params.ts'
import { address, hash, parseBig } from '../../params/hex-params.ts'
import { optional, type Param, ParamError } from '../../params/param.ts'
import { formatWithdrawal } from './faults.ts'

/** How many hashes of the newest withdrawal a status names, since pages fetch it every second. */
const SHOWN_WITHDRAWN = 10

/** Wei: 100 ETH. */
const DEFAULT_GIFT = 100n * 10n ** 18n

/** The largest gift in wei; keeps balances far below 2^256. */
const MAX_GIFT = 2n ** 128n

const gift: Param<bigint> = {
  parse(value) {
    const wei = parseBig(value)
    if (wei <= MAX_GIFT) return wei
    throw new ParamError(`${wei} wei is more than the limit of ${MAX_GIFT} wei`)
  },
}

/** The node's status, its faucet, and the timeline of a transaction. */
export const DEVNET_NODE_METHODS = {
  /** Adds wei to an account out of nothing; its new balance. */
  devnet_faucet: defineMethod([address, optional(gift, DEFAULT_GIFT)], async (context, account, wei) =>
    toQuantity(await context.faucet(account, wei)),
  ),

  /** `null` if the node never received it. */
  devnet_getTransactionTimeline: defineMethod([hash], ({ timeline }, transactionHash) => {
    const events = timeline.of(transactionHash)
    return events ? { hash: transactionHash, events } : null
  }),

  /** Sealed blocks keep the index with each transaction. */
  devnet_getPartialBlocks: defineMethod([blockRef], (context, ref) => {
    const block = findBlock(context, ref)
    if (!block) return null
    const { header, transactions } = block
    const live = context.chain.pending()
    const index = live.hash === block.hash ? live.index : (transactions.at(-1)?.partialIndex ?? 0)
    const transactionsByPartial = countByPartial({ index, transactions })
    return { number: toQuantity(header.number), hash: block.hash, transactionsByPartial }
  }),

  /** The chain's settings and its current position. */
  devnet_status: defineMethod([], ({ chain, control, film, fork, pool, settings, spec }) => {
    const head = chain.head()
    const live = chain.pending()
    const time = control.time()
    const { pending, queued } = pool.size()
    const latest = time.latestWithdrawal
    return {
      clientVersion: spec.clientVersion,
      chainId: toQuantity(spec.chainId),
      seed: spec.seed,
      mode: spec.mode,
      options: changedOptions(spec),
      paused: time.paused,
      automine: control.automine,
      ...(control.minesOnRequest && { minesOnRequest: true as const }),
      ...(settings.atomic !== 'unsupported' && { atomic: settings.atomic }),
      speed: time.speed,
      partialMs: time.timing.partialMs,
      partialsPerBlock: time.timing.partialsPerBlock,
      chainTimeMs: time.chainTimeMs,
      head: { number: toQuantity(head.header.number), hash: head.hash },
      live: {
        number: toQuantity(live.header.number),
        index: live.index,
        sealsAtMs: time.sealsAtMs,
        nextTickAtMs: time.nextTickAtMs,
        transactionCount: live.transactions.length,
        transactionsByPartial: countByPartial(live),
        gasUsed: toQuantity(live.header.gasUsed),
        gasLimit: toQuantity(live.header.gasLimit),
      },
      pool: { pending, queued },
      ...(film && { film: true as const }),
      ...(fork && { fork: fork.describe() }),
      faults: {
        stalledTicks: time.stalledTicks,
        sealDelayMs: time.sealDelayMs,
        failNext: settings.failures.all(),
        withdrawal: {
          planned: time.plannedWithdrawal ?? null,
          latest: latest
            ? {
                ...formatWithdrawal({ ...latest, withdrawn: latest.withdrawn.slice(0, SHOWN_WITHDRAWN) }),
                count: latest.withdrawn.length,
              }
            : null,
        },
      },
      accounts: spec.accounts.map(({ address: account }) => account),
    }
  }),
} satisfies Partial<MethodTable>
