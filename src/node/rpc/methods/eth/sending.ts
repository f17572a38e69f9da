import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { RpcFilledTransaction } from '#rpc-types/methods/eth.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { keccak256Hex } from '../../../crypto/keccak.ts'
import { encodeTransaction } from '../../../tx/encode.ts'
import { impersonateTransaction } from '../../../tx/sign.ts'
import type { Transaction, UnsignedTransaction } from '../../../tx/transaction.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { formatReceipt } from '../../format/receipt.ts'
import { formatAuthorization } from '../../format/transaction.ts'
import { data } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { hexOrDecimal } from '../../params/plain-params.ts'
import { draftTransaction, finishDraft } from '../../sending/fill-transaction.ts'
import { keySigner, senderSigner } from '../../sending/signer.ts'
import { type TransactionArgs, transactionArgs } from '../../sending/transaction-params.ts'

/** The default and longest timeout, in milliseconds. */
const MAX_TIMEOUT_MS = 6_000

/** A draft's gas is estimated at `pending`. */
const DRAFTS = { readsPending: true } as const

/** Submissions: signed transactions, and those that the node fills in and signs. */
export const ETH_SENDING_METHODS = {
  /** Fills in, signs and submits a transaction of a development account or an impersonated one. */
  eth_sendTransaction: defineMethod(
    [transactionArgs],
    async (context, args) => (await submitFilled(context, args)).hash,
    DRAFTS,
  ),

  /** Sends a transaction, and answers as {@link ETH_SENDING_METHODS.eth_sendRawTransactionSync} does. */
  eth_sendTransactionSync: defineMethod(
    [transactionArgs, optional(hexOrDecimal, 0n)],
    async (context, args, wantedMs) => receiptOf(context, await submitFilled(context, args), wantedMs),
    DRAFTS,
  ),

  /**
   * The signed bytes of a transaction of a development account. In execution-apis and geth they are the `raw` of an
   * object, but viem and ethers only accept the bytes.
   */
  eth_signTransaction: defineMethod([transactionArgs], async (context, args) => {
    const nonce = requireSettled(args)
    const sign = keySigner(context, args.from)
    return bytesToHex(sign(finishDraft(await draftTransaction(context, args), nonce, context.spec)).raw)
  }),

  /** Fills in a transaction of any account, to be signed elsewhere. */
  eth_fillTransaction: defineMethod(
    [transactionArgs],
    async (context, args) => {
      const draft = await draftTransaction(context, args)
      const nonce = args.nonce ?? context.pool.pendingNonce(draft.request.from)
      const tx = finishDraft(draft, nonce, context.spec)
      const raw = encodeTransaction(tx, undefined)
      return { raw: bytesToHex(raw), tx: formatUnsigned(tx, raw) }
    },
    DRAFTS,
  ),

  /**
   * Submits a transaction, and answers with the receipt as soon as it is pre-confirmed.
   *
   * @see {@link https://eips.ethereum.org/EIPS/eip-7966 | EIP-7966}
   */
  eth_sendRawTransactionSync: defineMethod([data, optional(hexOrDecimal, 0n)], async (context, raw, wantedMs) =>
    receiptOf(context, context.submit(await context.decoder.decode(raw)), wantedMs),
  ),

  /** Submits a transaction of any account, as if it were impersonated. */
  eth_sendUnsignedTransaction: defineMethod(
    [transactionArgs],
    async (context, args) => {
      if (args.from === undefined) throw new RpcRefusedError('invalid-params', 'missing from')
      const draft = await draftTransaction(context, args)
      // No await from here on: two transactions of one sender must not get the same nonce.
      const nonce = args.nonce ?? context.pool.pendingNonce(args.from)
      return context.submit(impersonateTransaction(finishDraft(draft, nonce, context.spec), args.from)).hash
    },
    DRAFTS,
  ),
} satisfies Partial<MethodTable>

/** Fills in, signs and submits a transaction of a development account or an impersonated one. */
export async function submitFilled(context: CallerContext, args: TransactionArgs): Promise<Transaction> {
  const sign = senderSigner(context, args.from)
  const draft = await draftTransaction(context, args)
  // No await from here on: two transactions of one sender must not get the same nonce.
  const nonce = args.nonce ?? context.pool.pendingNonce(draft.request.from)
  return context.submit(sign(finishDraft(draft, nonce, context.spec)))
}

/** The receipt of a submitted transaction, once it is pre-confirmed. @param wantedMs - 0 for the longest wait. */
async function receiptOf(context: CallerContext, tx: Transaction, wantedMs: bigint): Promise<RpcReceipt> {
  const timeoutMs = wantedMs === 0n || wantedMs > MAX_TIMEOUT_MS ? MAX_TIMEOUT_MS : Number(wantedMs)
  const { hash } = tx
  const inclusion = await context.inclusions.wait(hash, timeoutMs)
  switch (inclusion.kind) {
    case 'included':
      if (context.control.automine) return sealedReceipt(context, tx)
      return formatReceipt(inclusion.included, inclusion.block)
    case 'dropped':
      throw new RpcRefusedError('server', `the transaction was dropped: ${inclusion.reason}`, { data: hash })
    case 'replaced':
      throw new RpcRefusedError('server', `the transaction was replaced by ${inclusion.by}`, { data: hash })
    case 'timeout':
      throw new RpcRefusedError(
        'timeout',
        `The transaction was added to the transaction pool but wasn't processed in ${timeoutMs / 1000}s`,
        { data: hash },
      )
    default:
      return unknownInclusion(inclusion)
  }
}

/** The receipt of a transaction that automine is mining. */
async function sealedReceipt({ control, chain }: CallerContext, tx: Transaction): Promise<RpcReceipt> {
  // This runs after the seal.
  await control.mine(tx, 0)
  const found = chain.findTransaction(tx.hash)
  if (!found) throw new RpcRefusedError('server', 'the transaction was withdrawn', { data: tx.hash })
  return formatReceipt(found.included, found.block)
}

/** The nonce of a transaction with all fields set, which geth requires for signing. */
function requireSettled({ gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce }: TransactionArgs): bigint {
  if (gas === undefined) return refuse('gas not specified')
  if (gasPrice === undefined && (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined)) {
    return refuse('missing gasPrice or maxFeePerGas/maxPriorityFeePerGas')
  }
  return nonce ?? refuse('nonce not specified')
}

function refuse(message: string): never {
  throw new RpcRefusedError('server', message)
}

/** Does not compile while an outcome has no answer. */
function unknownInclusion(inclusion: never): never {
  throw new TypeError(`no answer for ${JSON.stringify(inclusion)}`)
}

const TYPES = { 0: '0x0', 1: '0x1', 2: '0x2', 4: '0x4' } as const

/**
 * An unsigned transaction of this chain.
 *
 * @param raw - Its bytes with an empty signature.
 */
export function formatUnsigned(tx: UnsignedTransaction, raw: Uint8Array): RpcFilledTransaction {
  invariant(tx.chainId !== null, 'the node fills transactions for its own chain only')
  const base = {
    type: TYPES[tx.type],
    hash: keccak256Hex(raw),
    chainId: toQuantity(tx.chainId),
    nonce: toQuantity(tx.nonce),
    gas: toQuantity(tx.gas),
    to: tx.to,
    value: toQuantity(tx.value),
    input: bytesToHex(tx.input),
    v: '0x0',
    r: '0x0',
    s: '0x0',
  } as const
  if (tx.type === 0) return { ...base, gasPrice: toQuantity(tx.gasPrice) }
  const typed = { ...base, accessList: tx.accessList, yParity: '0x0' } as const
  if (tx.type === 1) return { ...typed, gasPrice: toQuantity(tx.gasPrice) }
  const fees = {
    // As in geth and execution-apis: present, but null.
    gasPrice: null,
    maxFeePerGas: toQuantity(tx.maxFeePerGas),
    maxPriorityFeePerGas: toQuantity(tx.maxPriorityFeePerGas),
  }
  if (tx.type === 2) return { ...typed, ...fees }
  return { ...typed, ...fees, authorizationList: tx.authorizationList.map(formatAuthorization) }
}
