import { concatBytes } from '#primitives/bytes.ts'
import { type Address, type Hash, hexToBytes, toQuantity } from '#primitives/hex.ts'
import type { RpcCallReceipt, RpcCallsStatus } from '#rpc-types/methods/wallet.ts'
import { keccak256Hex } from '../../../crypto/keccak.ts'
import type { Block, IncludedTransaction } from '../../../payload/block.ts'
import { quote } from '../../../spec/parse-option.ts'
import type { Transaction } from '../../../tx/transaction.ts'
import type { NodeContext } from '../../context.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { formatReceipt } from '../../format/receipt.ts'
import { address } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { draftSequence, finishDraft } from '../../sending/fill-transaction.ts'
import { senderSigner, sendsFor, signingAccounts } from '../../sending/signer.ts'
import type { TransactionArgs } from '../../sending/transaction-params.ts'
import { type Bundle, type BundledCall, bundle, bundleId, chainIds } from './bundle-params.ts'

/** Most calls per bundle. */
const MAX_CALLS = 256

/** Bundles of calls (EIP-5792). */
export const WALLET_BUNDLE_METHODS = {
  /**
   * The capabilities for bundles: none beyond the basics.
   *
   * @see {@link https://eips.ethereum.org/EIPS/eip-5792 | EIP-5792}
   */
  wallet_getCapabilities: defineMethod(
    [optional(address, undefined), optional(chainIds, undefined)],
    (context, account, chains) => {
      if (account !== undefined) requireAuthorized(context, account)
      const { chainId } = context.spec
      const asked = chains === undefined || chains.includes(BigInt(chainId))
      return asked ? { [toQuantity(chainId)]: { atomic: { status: 'unsupported' } } } : {}
    },
  ),

  /** Submits one transaction per call, all at once, so that they are included in order. */
  wallet_sendCalls: defineMethod(
    [bundle],
    async (context, calls) => {
      const { bundles } = context
      checkBundle(context, calls)
      const sequence = await prepareCalls(context, senderOf(context, calls), calls.calls)
      // Another bundle with the same id may have arrived meanwhile.
      checkId(context, calls)
      const hashes = sequence.submit()
      const id = calls.id ?? bundleIdOf(hashes)
      bundles.add(id, hashes)
      const caip345 = { caip2: `eip155:${context.spec.chainId}`, transactionHashes: hashes }
      return { id, capabilities: { caip345 } }
    },
    { readsPending: true },
  ),

  /** The state of a bundle; pre-confirmed transactions count, as they do for receipts. */
  wallet_getCallsStatus: defineMethod([bundleId], ({ bundles, chain, pool, spec }, id) => {
    const hashes = requireBundle(bundles, id)
    const included = hashes.map((hash) => chain.findTransaction(hash)).filter((found) => found !== undefined)
    const isWaiting = hashes.some((hash) => pool.has(hash))
    return {
      version: '2.0.0',
      id,
      chainId: toQuantity(spec.chainId),
      status: isWaiting ? 100 : statusOf(included, hashes.length),
      atomic: false,
      receipts: included.map(formatCallReceipt),
    }
  }),

  /** A node has no interface to show it in, so it only refuses unknown bundles. */
  wallet_showCallsStatus: defineMethod([bundleId], ({ bundles }, id) => {
    requireBundle(bundles, id)
    return null
  }),
} satisfies Partial<MethodTable>

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
  if (calls.atomicRequired) {
    throw new RpcRefusedError('atomicity-unsupported', 'atomic execution of the calls is not supported')
  }
  if (calls.calls.length > MAX_CALLS) {
    throw new RpcRefusedError('bundle-too-large', `too many calls, want at most ${MAX_CALLS}`)
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
  const hashes = bundles.get(id)
  if (hashes === undefined) throw new RpcRefusedError('unknown-bundle', `no bundle has the id ${quote(id)}`)
  return hashes
}

/** The prepared transactions of a bundle; sends all of them or none. */
interface CallSequence {
  /**
   * Signs and submits them.
   *
   * @returns Their hashes, in the order of the calls.
   * @throws {TxRejectedError} If the pool refuses one; earlier ones are removed again.
   */
  submit(): readonly Hash[]
}

/**
 * Prepares the transactions of a bundle.
 *
 * @throws {RpcRefusedError} `server`, if the node does not send transactions for the account or a call is invalid.
 * @throws {CallFailedError} If a call fails after the earlier ones.
 */
async function prepareCalls(
  context: CallerContext,
  from: Address,
  calls: readonly BundledCall[],
): Promise<CallSequence> {
  const { spec, pool } = context
  const sign = senderSigner(context, from)
  const drafts = await draftSequence(
    context,
    calls.map((call) => toArgs(from, call)),
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
      return submitted.map(({ hash }) => hash)
    },
  }
}

/** A unique id: no other bundle has these transactions. */
function bundleIdOf(hashes: readonly Hash[]): string {
  return keccak256Hex(concatBytes(...hashes.map(hexToBytes)))
}

function toArgs(from: Address, { to, data, value }: BundledCall): TransactionArgs {
  return {
    from,
    to,
    data,
    value,
    gas: undefined,
    gasPrice: undefined,
    maxFeePerGas: undefined,
    maxPriorityFeePerGas: undefined,
    input: undefined,
    chainId: undefined,
    nonce: undefined,
    type: undefined,
    accessList: [],
    authorizationList: [],
    authorizes: false,
    hasBlobs: false,
  }
}
