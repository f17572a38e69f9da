import type { Address } from '#primitives/hex.ts'
import { BATCH_DELEGATE, BATCH_DELEGATION } from '#rpc-types/batch-delegate.ts'
import type { AtomicStatus } from '#rpc-types/node-options.ts'
import { signDigest } from '../../../crypto/signing.ts'
import { authorizationDigest, delegateOf } from '../../../evm/transactions/authorization.ts'
import type { StateReader } from '../../../state/state-reader.ts'
import type { Authorization, Transaction } from '../../../tx/transaction.ts'
import type { CallerContext } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { pendingBlock } from '../../params/block-params.ts'
import { draftSequence, finishDraft } from '../../sending/fill-transaction.ts'
import { keyOf, senderSigner } from '../../sending/signer.ts'
import type { TransactionArgs } from '../../sending/transaction-params.ts'
import { CREATE2_DEPLOYER, type DelegatedCall, deploymentInput, executeInput } from './batch-delegate.ts'
import type { BundledCall } from './bundle-params.ts'
import type { SubmittedBundle } from './call-bundles.ts'
import { noTransaction } from './no-transaction.ts'

/** Largest input of the one transaction, in bytes: a transaction may have 128 KiB in all. */
const MAX_INPUT_BYTES = 130_000

/** What an account can do about bundles at `pending`. */
export interface AtomicAbility {
  readonly status: AtomicStatus
  /** Whether its first bundle has to delegate it. */
  readonly needsUpgrade: boolean
  /** Whether the contract that it is delegated to has to be created before that. */
  readonly needsDeployment: boolean
  /** Why it is `unsupported` although the node can do more; empty if it is not. */
  readonly why: string
}

/**
 * What an account can do about bundles, where the node's setting is not `unsupported`.
 *
 * @throws {ForkError} If a fork cannot fetch the account.
 */
export async function atomicAbility(context: CallerContext, account: Address): Promise<AtomicAbility> {
  const block = pendingBlock(context)
  const read = async ({ state }: { readonly state: StateReader }) => abilityIn(context, account, state)
  const whole = { state: block.state, env: context.environment(block) }
  return context.fork ? context.fork.complete(whole, read) : read(whole)
}

function abilityIn(context: CallerContext, account: Address, state: StateReader): AtomicAbility {
  const needsDeployment = state.code(BATCH_DELEGATE).length === 0
  const code = state.code(account)
  const delegate = delegateOf(code)
  const needsUpgrade = delegate !== BATCH_DELEGATE
  const unable = (why: string): AtomicAbility => ({ status: 'unsupported', needsUpgrade, needsDeployment, why })
  if (needsUpgrade && delegate !== undefined) {
    return unable(`${account} is delegated to ${delegate}, which is not this wallet's contract`)
  }
  if (needsUpgrade && code.length > 0) return unable(`${account} is a contract`)
  if (needsUpgrade && !keyOf(context, account)) {
    const edit = `anvil_setCode with ${BATCH_DELEGATION} delegates it all the same`
    return unable(`nobody has the key of ${account}, which would have to sign its delegation; ${edit}`)
  }
  if (needsDeployment && state.code(CREATE2_DEPLOYER).length === 0) {
    return unable(`this chain has no CREATE2 deployer at ${CREATE2_DEPLOYER}, which creates the wallet's contract`)
  }
  const isReady = needsUpgrade && context.settings.atomic === 'ready'
  return { status: isReady ? 'ready' : 'supported', needsUpgrade, needsDeployment, why: '' }
}

/** The prepared transactions of an atomic bundle; sends all of them or none. */
interface AtomicTransaction {
  /** @throws {TxRejectedError} If the pool refuses one; nothing is sent then. */
  submit(): SubmittedBundle
}

/**
 * Prepares a bundle as one transaction: of type 4 if it delegates the account, else of type 2. The contract that the account
 * is delegated to is created by a transaction before, the first time on a chain.
 *
 * @param gasOfFailing - The gas of a bundle that is expected to fail; without it that is refused.
 * @throws {RpcRefusedError} `atomicity-unsupported` if a call creates a contract, `bundle-too-large`.
 * @throws {CallFailedError} If a call fails: the bundle would have no effect.
 */
export async function prepareAtomic(
  context: CallerContext,
  from: Address,
  calls: readonly BundledCall[],
  { needsUpgrade, needsDeployment }: AtomicAbility,
  gasOfFailing: bigint | undefined,
): Promise<AtomicTransaction> {
  const { pool, spec } = context
  const input = executeInput(calls.map(withRecipient))
  if (input.length > MAX_INPUT_BYTES) {
    const size = `${input.length} bytes in one transaction, want at most ${MAX_INPUT_BYTES}`
    throw new RpcRefusedError('bundle-too-large', `the calls have ${size}`)
  }
  const sign = senderSigner(context, from)
  const common = { ...noTransaction(from), to: from, input }
  const deployment = { ...noTransaction(from), to: CREATE2_DEPLOYER, input: deploymentInput() }
  const estimatedNonce = (await stateNonce(context, from)) + (needsDeployment ? 1n : 0n)
  const batch: TransactionArgs = needsUpgrade
    ? { ...common, authorizes: true, authorizationList: [authorize(context, from, estimatedNonce + 1n)] }
    : common
  const drafts = await draftSequence(context, needsDeployment ? [deployment, batch] : [batch], gasOfFailing)
  return {
    submit() {
      const submitted: Transaction[] = []
      try {
        for (const draft of drafts) {
          const nonce = pool.pendingNonce(from)
          const tx = finishDraft(draft, nonce, spec)
          // The account's nonce is one higher by the time its own transaction delegates it.
          const signed = tx.type === 4 ? { ...tx, authorizationList: [authorize(context, from, nonce + 1n)] } : tx
          submitted.push(context.submit(sign(signed)))
        }
      } catch (error) {
        context.discard(submitted.toReversed(), 'the bundle that it was for was refused')
        throw error
      }
      const [last, first] = submitted.map(({ hash }) => hash).toReversed()
      return {
        transactions: last === undefined ? [] : [last],
        isAtomic: true,
        ...(first !== undefined && { deployment: first }),
      }
    },
  }
}

/**
 * Whether the transaction of an atomic bundle that was executed has made its calls. Where the account's contract is not
 * there, it has done nothing, and succeeded: that happens if the transaction that creates the contract was replaced, or a
 * reorganisation took it away.
 */
export async function hasMadeCalls(context: CallerContext, { deployment }: SubmittedBundle): Promise<boolean> {
  if (deployment !== undefined && !context.chain.findTransaction(deployment)) return false
  const block = pendingBlock(context)
  const read = async ({ state }: { readonly state: StateReader }) => state.code(BATCH_DELEGATE).length > 0
  const whole = { state: block.state, env: context.environment(block) }
  return context.fork ? context.fork.complete(whole, read) : read(whole)
}

async function stateNonce(context: CallerContext, account: Address): Promise<bigint> {
  const block = pendingBlock(context)
  const read = async ({ state }: { readonly state: StateReader }) => state.account(account)?.nonce ?? 0n
  const whole = { state: block.state, env: context.environment(block) }
  return context.fork ? context.fork.complete(whole, read) : read(whole)
}

/** The account's signature of its delegation to this wallet's contract, on this chain alone. */
function authorize(context: CallerContext, account: Address, nonce: bigint): Authorization {
  const key = keyOf(context, account)
  if (!key) throw new RpcRefusedError('server', 'unknown account')
  const tuple = { chainId: BigInt(context.spec.chainId), address: BATCH_DELEGATE, nonce }
  const { r, s, yParity } = signDigest(authorizationDigest(tuple), key)
  return { ...tuple, r, s, yParity: BigInt(yParity) }
}

function withRecipient({ to, value = 0n, data = new Uint8Array(0) }: BundledCall): DelegatedCall {
  if (to === undefined) {
    const why = 'a call without a recipient creates a contract, which calls of one transaction cannot'
    throw new RpcRefusedError('atomicity-unsupported', why)
  }
  return { to, value, data }
}
