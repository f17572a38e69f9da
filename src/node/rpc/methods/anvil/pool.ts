import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { address, hash } from '../../params/hex-params.ts'

/** Transactions taken out of the pool. */
export const ANVIL_POOL_METHODS = {
  /** Takes a transaction out of the pool. */
  anvil_dropTransaction: defineMethod([hash], async ({ control }, txHash) => {
    const [dropped] = await control.discard([txHash])
    return dropped?.hash ?? null
  }),

  /** Drops a transaction, but is refused for transactions that are already in a block. */
  hardhat_dropTransaction: defineMethod([hash], async ({ chain, control }, txHash) => {
    if (chain.findTransaction(txHash)) {
      throw new RpcRefusedError('server', `Transaction ${txHash} cannot be dropped because it's already mined`)
    }
    return (await control.discard([txHash])).length > 0
  }),

  /** Empties the pool. */
  anvil_dropAllTransactions: defineMethod([], async ({ control, pool }) => {
    await control.discard(pool.transactions().map((tx) => tx.hash))
    return null
  }),

  /** Takes out what one sender has in the pool. */
  anvil_removePoolTransactions: defineMethod([address], async ({ control, pool }, sender) => {
    const own = pool.transactions().filter((tx) => tx.sender === sender)
    await control.discard(own.map((tx) => tx.hash))
    return null
  }),
} satisfies Partial<MethodTable>
