import { concatBytes } from '#primitives/bytes.ts'
import { type Address, type Hash, hexToBytes, toQuantity } from '#primitives/hex.ts'
import { BATCH_DELEGATE, MAX_BUNDLED_CALLS } from '#rpc-types/batch-delegate.ts'
import type { RpcCallReceipt, RpcCallsStatus } from '#rpc-types/methods/wallet.ts'
import { keccak256Hex } from '../../../crypto/keccak.ts'
import type { Block, IncludedTransaction } from '../../../payload/block.ts'
import { MAX_TRANSACTION_GAS } from '../../../spec/gas-schedule.ts'
import { quote } from '../../../spec/parse-option.ts'
import type { Transaction } from '../../../tx/transaction.ts'
import type { NodeContext } from '../../context.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { formatReceipt } from '../../format/receipt.ts'
import { pendingBlock } from '../../params/block-params.ts'
import { address } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { draftSequence, finishDraft } from '../../sending/fill-transaction.ts'
import { senderSigner, sendsFor, signingAccounts } from '../../sending/signer.ts'
import type { AtomicAbility } from './atomic-bundle.ts'
import { type Bundle, type BundledCall, bundle, bundleId, chainIds } from './bundle-params.ts'
import type { SubmittedBundle } from './call-bundles.ts'
import { noTransaction } from './no-transaction.ts'

/** Most bytes of data of all calls of a bundle. */
const MAX_BYTES = 2 ** 20

/** Bundles of calls (EIP-5792). */
export const WALLET_BUNDLE_METHODS = {
  /**
   * The capability `atomic`. Without an account it is that of the first one.
   *
   * @see {@link https://eips.ethereum.org/EIPS/eip-5792 | EIP-5792}
   */
  wallet_getCapabilities: defineMethod(
    [optional(address, undefined), optional(chainIds, undefined)],
    async (context, account, chains) => {
      if (account !== undefined) requireAuthorized(context, account)
      const { chainId } = context.spec
      const asked = chains === undefined || chains.includes(BigInt(chainId))
      if (!asked) return {}
      const { status } = await abilityOf(context, account ?? signingAccounts(context)[0])
      return { [toQuantity(chainId)]: { atomic: { status } } }
    },
    { readsPending: true },
  ),

  /** Submits one transaction for all calls, or one per call, all at once, so that they are included in order. */
  wallet_sendCalls: defineMethod(
    [bundle],
    async (context, calls) => {
      const { bundles, spec, storage } = context
      checkBundle(context, calls)
      const sequence = await prepareBundle(context, senderOf(context, calls), calls)
      // Another bundle with the same id may have arrived meanwhile.
      checkId(context, calls)
      const submitted = sequence.submit()
      const { transactions: transactionHashes } = submitted
      const id = calls.id ?? bundleIdOf(transactionHashes)
      bundles.add(id, submitted)
      storage.touch()
      const caip345 = { caip2: `eip155:${spec.chainId}`, transactionHashes }
      return { id, capabilities: { caip345 } }
    },
    { readsPending: true },
  ),

  /** The state of a bundle; pre-confirmed transactions count, as they do for receipts. */
  wallet_getCallsStatus: defineMethod([bundleId], async (context, id) => {
    const { bundles, chain, pool, spec } = context
    const submitted = requireBundle(bundles, id)
    const { transactions, isAtomic } = submitted
    const included = transactions.map((hash) => chain.findTransaction(hash)).filter((found) => found !== undefined)
    const isWaiting = transactions.some((hash) => pool.has(hash))
    const executed = statusOf(included, transactions.length)
    const isHollow = isAtomic && executed === 200 && !(await hasMadeCalls(context, submitted))
    return {
      version: '2.0.0',
      id,
      chainId: toQuantity(spec.chainId),
      status: isWaiting ? 100 : isHollow ? 500 : executed,
      atomic: isAtomic,
      receipts: included.map(formatCallReceipt),
    }
  }),

  /** A node has no interface to show it in, so it only refuses unknown bundles. */
  wallet_showCallsStatus: defineMethod([bundleId], ({ bundles }, id) => {
    requireBundle(bundles, id)
    return null
  }),
} satisfies Partial<MethodTable>

/** What makes bundles atomic; few chains need it. */
const atomicBundle = () => import('./atomic-bundle.ts')

async function hasMadeCalls(context: CallerContext, submitted: SubmittedBundle): Promise<boolean> {
  return (await atomicBundle()).hasMadeCalls(context, submitted)
}

/** What the account can do; without one, or unless the node was asked for more: nothing. */
async function abilityOf(context: CallerContext, account: Address | undefined): Promise<AtomicAbility> {
  if (context.settings.atomic !== 'unsupported' && account !== undefined) {
    return (await atomicBundle()).atomicAbility(context, account)
  }
  return { status: 'unsupported', needsUpgrade: true, needsDeployment: true, why: '' }
}

/**
 * Prepares a bundle in the way that the account can and the caller wants.
 *
 * @throws {RpcRefusedError} `atomicity-unsupported`, `upgrade-rejected`, and as {@link prepareCalls}.
 */
async function prepareBundle(context: CallerContext, from: Address, asked: Bundle): Promise<CallSequence> {
  const { calls, atomicRequired, upgrade, mayFail } = asked
  const gasOfFailing = mayFail ? gasOfFailingCall(context) : undefined
  const ability = await abilityOf(context, from)
  if (atomicRequired && ability.status === 'unsupported') {
    const why = ability.why === '' ? '' : `: ${ability.why}`
    throw new RpcRefusedError('atomicity-unsupported', `atomic execution of the calls is not supported${why}`)
  }
  const canJoin = ability.status === 'supported' && calls.every(({ to }) => to !== undefined)
  if (!atomicRequired && !(canJoin && (upgrade || !ability.needsUpgrade))) {
    return prepareCalls(context, from, calls, gasOfFailing)
  }
  if (ability.needsUpgrade && !upgrade) {
    const message = `nobody has agreed that ${from} is delegated to ${BATCH_DELEGATE}, which the bundle needs`
    throw new RpcRefusedError('upgrade-rejected', message)
  }
  return (await atomicBundle()).prepareAtomic(context, from, calls, ability, gasOfFailing)
}

/** Gas of a call whose estimate fails: as much as a transaction may have. */
function gasOfFailingCall(context: CallerContext): bigint {
  const { gasLimit } = pendingBlock(context).header
  return gasLimit < MAX_TRANSACTION_GAS ? gasLimit : MAX_TRANSACTION_GAS
}

interface Found {
  readonly included: IncludedTransaction
  readonly block: Block
}

/** @param sent - Number of the bundle's transactions; none of them is waiting. */
function statusOf(included: readonly Found[], sent: number): RpcCallsStatus['status'] {
  if (included.length === 0) return 400
  const succeeded = included.filter((found) => found.included.receipt.status === 1).length
  if (succeeded === 0) return 500
  return succeeded === sent ? 200 : 600
}

function formatCallReceipt({ included, block }: Found): RpcCallReceipt {
  const { logs, status, blockHash, blockNumber, gasUsed, transactionHash } = formatReceipt(included, block)
  const shown = logs.map(({ address: emitter, data, topics }) => ({ address: emitter, data, topics }))
  return { logs: shown, status, blockHash, blockNumber, gasUsed, transactionHash }
}

function checkBundle(context: NodeContext, calls: Bundle): void {
  const { spec } = context
  const [capability] = calls.requiredCapabilities
  if (capability !== undefined) {
    throw new RpcRefusedError('unsupported-capability', `the capability ${quote(capability)} is not supported`)
  }
  if (calls.chainId !== BigInt(spec.chainId)) {
    const message = `chain ${toQuantity(calls.chainId)} is not supported: this node has chain ${toQuantity(spec.chainId)} only`
    throw new RpcRefusedError('unsupported-chain', message)
  }
  if (calls.calls.length > MAX_BUNDLED_CALLS) {
    throw new RpcRefusedError('bundle-too-large', `too many calls, want at most ${MAX_BUNDLED_CALLS}`)
  }
  const bytes = calls.calls.reduce((sum, { data }) => sum + (data?.length ?? 0), 0)
  if (bytes > MAX_BYTES) {
    throw new RpcRefusedError('bundle-too-large', `the calls have ${bytes} bytes of data, want at most ${MAX_BYTES}`)
  }
  checkId(context, calls)
}

function checkId({ bundles }: Pick<NodeContext, 'bundles'>, { id }: Bundle): void {
  if (id !== undefined && bundles.has(id)) {
    throw new RpcRefusedError('duplicate-id', `there is a bundle with the id ${quote(id)} already`)
  }
}

function senderOf(context: NodeContext, { from = signingAccounts(context)[0] }: Bundle) {
  if (from === undefined) throw new RpcRefusedError('unauthorized', 'this node has no accounts')
  return requireAuthorized(context, from)
}

function requireAuthorized(context: NodeContext, account: Address) {
  if (sendsFor(context, account)) return account
  throw new RpcRefusedError('unauthorized', `the account ${account} does not belong to this node`)
}

function requireBundle(bundles: NodeContext['bundles'], id: string) {
  const submitted = bundles.get(id)
  if (submitted === undefined) throw new RpcRefusedError('unknown-bundle', `no bundle has the id ${quote(id)}`)
  return submitted
}

/** The prepared transactions of a bundle; sends all of them or none. */
interface CallSequence {
  /**
   * Signs and submits them.
   *
   * @returns What is remembered of it.
   * @throws {TxRejectedError} If the pool refuses one; earlier ones are removed again.
   */
  submit(): SubmittedBundle
}

/**
 * Prepares a transaction for each call of a bundle.
 *
 * @param gasOfFailing - The gas of calls that are expected to fail; without it they are refused.
 * @throws {RpcRefusedError} `server`, if the node does not send transactions for the account or a call is invalid.
 * @throws {CallFailedError} If a call fails after the earlier ones.
 */
async function prepareCalls(
  context: CallerContext,
  from: Address,
  calls: readonly BundledCall[],
  gasOfFailing: bigint | undefined,
): Promise<CallSequence> {
  const { spec, pool } = context
  const sign = senderSigner(context, from)
  const drafts = await draftSequence(
    context,
    calls.map((call) => ({ ...noTransaction(from), ...call })),
    gasOfFailing,
  )
  return {
    submit() {
      const submitted: Transaction[] = []
      try {
        for (const draft of drafts) {
          // Read again each time: another transaction of the sender may wait behind a gap that was just filled.
          submitted.push(context.submit(sign(finishDraft(draft, pool.pendingNonce(from), spec))))
        }
      } catch (error) {
        context.discard(submitted.toReversed(), 'a later call of its bundle was refused')
        throw error
      }
      return { transactions: submitted.map(({ hash }) => hash), isAtomic: false }
    },
  }
}

/** A unique id: no other bundle has these transactions. */
function bundleIdOf(hashes: readonly Hash[]): string {
  return keccak256Hex(concatBytes(...hashes.map(hexToBytes)))
}
