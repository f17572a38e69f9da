import { equalBytes } from '#primitives/bytes.ts'
import { feeCap, type Transaction, tipCap, type UnsignedTransaction } from '../../../tx/transaction.ts'
import { inputOf } from '../../calls/call-request.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { parseBig, parseUint64 } from '../../params/hex-params.ts'
import { optional, type Param } from '../../params/param.ts'
import { senderSigner } from '../../sending/signer.ts'
import { type TransactionArgs, transactionArgs } from '../../sending/transaction-params.ts'

/** As of `parse`; nothing for `null` and for 0, as in geth. */
const orNothing = (parse: (value: unknown) => bigint): Param<bigint | undefined> => ({
  parse: (value) => (value === null ? undefined : parse(value) || undefined),
})

/** What becomes of a transaction that waits. */
export const ETH_RESEND_METHODS = {
  /**
   * Signs a pooled transaction anew. One with two prices gets the new one as both, as it stands for both in a transaction
   * that has one alone; geth leaves those as they were.
   */
  eth_resend: defineMethod(
    [transactionArgs, optional(orNothing(parseBig), undefined), optional(orNothing(parseUint64), undefined)],
    (context, args, gasPrice, gas) => {
      const { from, hasBlobs, nonce } = args
      if (hasBlobs) return refuse('signing blob transactions not supported')
      if (nonce === undefined) return refuse('missing transaction nonce in transaction spec')
      if (from === undefined) return refuse('missing "from": whose transaction is it')
      const sign = senderSigner(context, from)
      const { pending, queued } = context.pool.contentFrom(from)
      const waiting = [...pending, ...queued].find((tx) => tx.nonce === nonce)
      if (!waiting) return refuse(`transaction of ${from} with nonce ${nonce} not found in the pool`)
      const other = differenceOf(args, waiting)
      if (other) return refuse(`transaction not found: the one in the pool with nonce ${nonce} has another ${other}`)
      return context.submit(sign(renewed(waiting, gasPrice, gas))).hash
    },
  ),
} satisfies Partial<MethodTable>

/** The first member of the object that the transaction has otherwise. What is left out is as it is there. */
function differenceOf(args: TransactionArgs, tx: Transaction): string | undefined {
  const scalars = [
    ['to', args.to, tx.to],
    ['gas', args.gas, tx.gas],
    ['gasPrice', args.gasPrice, feeCap(tx)],
    ['maxFeePerGas', args.maxFeePerGas, feeCap(tx)],
    ['maxPriorityFeePerGas', args.maxPriorityFeePerGas, tipCap(tx)],
    ['value', args.value, tx.value],
    ['chainId', args.chainId, tx.chainId],
    ['type', args.type, BigInt(tx.type)],
  ] as const
  const isInputOther = (args.data ?? args.input) !== undefined && !equalBytes(inputOf(args), tx.input)
  const [name] = scalars.find(([, wanted, present]) => wanted !== undefined && wanted !== present) ?? []
  return name ?? (isInputOther ? 'input' : undefined)
}

function renewed(tx: Transaction, price: bigint | undefined, gas: bigint = tx.gas): UnsignedTransaction {
  const { hash: _hash, raw: _raw, sender: _sender, yParity: _yParity, r: _r, s: _s, ...unsigned } = tx
  if (price === undefined) return { ...unsigned, gas }
  if ('gasPrice' in unsigned) return { ...unsigned, gas, gasPrice: price }
  return { ...unsigned, gas, maxFeePerGas: price, maxPriorityFeePerGas: price }
}

function refuse(message: string): never {
  throw new RpcRefusedError('server', message)
}
