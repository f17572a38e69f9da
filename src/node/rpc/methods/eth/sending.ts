import { bytesToHex } from '#primitives/hex.ts'
import { encodeTransaction } from '../../../tx/encode.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { draftTransaction, finishDraft } from '../../sending/fill-transaction.ts'
import { keySigner, senderSigner } from '../../sending/signer.ts'
import { type TransactionArgs, transactionArgs } from '../../sending/transaction-params.ts'
import { formatUnsigned } from '../../sending/unsigned-transaction.ts'

/** Transactions that the node fills and signs. */
export const SENDING_METHODS = {
  /** Fills, signs and submits a transaction of a development account or an impersonated one. */
  eth_sendTransaction: defineMethod([transactionArgs], async (context, args) => {
    const sign = senderSigner(context, args.from)
    const draft = await draftTransaction(context, args)
    // No await from here on: two transactions of one sender must not get the same nonce.
    const nonce = args.nonce ?? context.pool.pendingNonce(draft.request.from)
    return context.submit(sign(finishDraft(draft, nonce, context.spec))).hash
  }),

  /**
   * The bytes of a transaction of a development account. In execution-apis and geth they are the
   * `raw` of an object, but viem and ethers take nothing but the bytes.
   */
  eth_signTransaction: defineMethod([transactionArgs], async (context, args) => {
    const nonce = requireSettled(args)
    const sign = keySigner(context, args.from)
    return bytesToHex(sign(finishDraft(await draftTransaction(context, args), nonce, context.spec)).raw)
  }),

  /** What is left to sign of a transaction of any account. */
  eth_fillTransaction: defineMethod([transactionArgs], async (context, args) => {
    const draft = await draftTransaction(context, args)
    const nonce = args.nonce ?? context.pool.pendingNonce(draft.request.from)
    const tx = finishDraft(draft, nonce, context.spec)
    const raw = encodeTransaction(tx, undefined)
    return { raw: bytesToHex(raw), tx: formatUnsigned(tx, raw) }
  }),
} satisfies Partial<MethodTable>

/** The nonce of a transaction that leaves nothing open, as geth wants it of what it is to sign. */
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
