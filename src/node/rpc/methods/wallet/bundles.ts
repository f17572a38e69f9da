import { type Address, toQuantity } from '#primitives/hex.ts'
import type { RpcCallReceipt, RpcCallsStatus } from '#rpc-types/methods/wallet.ts'
import type { Block, IncludedTransaction } from '../../../payload/block.ts'
import type { NodeContext } from '../../context.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { formatReceipt } from '../../format/receipt.ts'
import { address } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { sendsFor, signingAccounts } from '../../sending/signer.ts'
import { type Bundle, bundle, bundleId, chainIds } from './bundle-params.ts'
import { bundleIdOf, prepareCalls } from './call-sequence.ts'

/** Calls of one bundle. */
const MAX_CALLS = 256

/** Bundles of calls (EIP-5792). */
export const BUNDLE_METHODS = {
  /**
   * What bundles can do; nothing beyond the plain case.
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

  /** A transaction for each call, all of them submitted at once, so that they are included in order. */
  wallet_sendCalls: defineMethod([bundle], async (context, calls) => {
    const { bundles } = context
    checkBundle(context, calls)
    const sequence = await prepareCalls(context, senderOf(context, calls), calls.calls)
    // Another with the same id may have come in the meantime.
    checkId(context, calls)
    const hashes = sequence.submit()
    const id = calls.id ?? bundleIdOf(hashes)
    bundles.add(id, hashes)
    return { id }
  }),

  /** What became of a bundle; being pre-confirmed counts, as it does for receipts. */
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

  /** A node has no place to show it in; whoever asks for an unknown bundle is told. */
  wallet_showCallsStatus: defineMethod([bundleId], ({ bundles }, id) => {
    requireBundle(bundles, id)
    return null
  }),
} satisfies Partial<MethodTable>

interface Found {
  readonly included: IncludedTransaction
  readonly block: Block
}

/** @param sent - Number of transactions of the bundle, none of which waits any more. */
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
    throw new RpcRefusedError('unsupported-capability', `the capability ${JSON.stringify(capability)} is not supported`)
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
    throw new RpcRefusedError('duplicate-id', `there is a bundle with the id ${JSON.stringify(id)} already`)
  }
}

function senderOf(context: NodeContext, { from = signingAccounts(context)[0] }: Bundle) {
  if (from === undefined) throw new RpcRefusedError('unauthorized', 'this node has no accounts')
  return requireAuthorized(context, from)
}

function requireAuthorized(context: NodeContext, account: Address) {
  if (sendsFor(context, account)) return account
  throw new RpcRefusedError('unauthorized', `the account ${account} is none of this node's`)
}

function requireBundle(bundles: NodeContext['bundles'], id: string) {
  const hashes = bundles.get(id)
  if (hashes === undefined) throw new RpcRefusedError('unknown-bundle', `no bundle has the id ${JSON.stringify(id)}`)
  return hashes
}
