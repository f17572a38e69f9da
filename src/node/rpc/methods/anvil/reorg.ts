import type { Transaction } from '../../../tx/transaction.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { rawTransaction } from '../../params/hex-params.ts'
import { cannotUnmarshal, jsonType, optional, type Param, ParamError } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'
import { senderSigner } from '../../sending/signer.ts'
import { type TransactionArgs, transactionArgs } from '../../sending/transaction-params.ts'
import { submitFilled } from '../eth/sending.ts'

/** Blocks that one call makes anew. */
const MAX_DEPTH = 100_000
/** Transactions that one call brings into them. */
const MAX_TRANSACTIONS = 1_000

const depth = integerWithin(1, MAX_DEPTH)
const place = integerWithin(0, MAX_DEPTH)

/** A transaction, signed or to be signed by the node, and which of the new blocks it is for. */
type Placed = readonly [transaction: Uint8Array | TransactionArgs, block: number]

const placedTransactions: Param<readonly Placed[]> = {
  parse(value) {
    if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), 'value of type [](transaction, block)')
    if (value.length > MAX_TRANSACTIONS) throw new ParamError(`bring at most ${MAX_TRANSACTIONS} transactions`)
    return value.map((pair: unknown): Placed => {
      if (!Array.isArray(pair) || pair.length !== 2) throw new ParamError('not a transaction and the number of a block')
      const [transaction, block] = pair as readonly unknown[]
      const parsed =
        typeof transaction === 'string' ? rawTransaction.parse(transaction) : transactionArgs.parse(transaction)
      return [parsed, place.parse(block)]
    })
  },
}

/** Another history of the chain. */
export const ANVIL_REORG_METHODS = {
  /** Takes blocks back, and seals as many others. */
  anvil_reorg: defineMethod(
    [depth, optional(placedTransactions, [])],
    async (context, count, placed) => {
      const { chain, control, caller, decoder } = context
      const beyond = placed.find(([, block]) => block >= count)
      if (beyond) {
        const problem = `Block number ${beyond[1]} must not exceed (depth-1) ${count - 1}`
        throw new RpcRefusedError(
          'invalid-params',
          `Block number for reorg tx will exceed the reorged chain height. ${problem}`,
        )
      }
      // What cannot be read or signed is refused before anything is taken back.
      const decoded: (readonly [tx: Transaction | TransactionArgs, block: number])[] = []
      for (const [transaction, block] of placed) {
        const isRaw = transaction instanceof Uint8Array
        if (!isRaw) senderSigner(context, transaction.from)
        decoded.push([isRaw ? await decoder.decode(transaction) : transaction, block])
      }
      await control.reorg(count, 'lose')
      const base = chain.head().header.number
      // A tick may have sealed one meanwhile.
      const sealUpTo = async (length: number) => {
        const missing = base + length - chain.head().header.number
        if (missing > 0) await control.seal(missing, undefined, caller)
      }
      const refusals: unknown[] = []
      for (const [transaction, block] of decoded.toSorted(([, a], [, b]) => a - b)) {
        await sealUpTo(block)
        try {
          if ('raw' in transaction) context.submit(transaction)
          else await submitFilled(context, transaction)
        } catch (error) {
          // The chain is already shorter: make the blocks first.
          refusals.push(error)
        }
      }
      await sealUpTo(count)
      if (refusals.length > 0) throw refusals[0]
      return null
    },
    { sealsItself: true },
  ),
} satisfies Partial<MethodTable>
