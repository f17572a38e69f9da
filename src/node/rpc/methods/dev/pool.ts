import { defineMethod } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { address, hash } from '../../params/hex-params.ts'

/** `anvil_dropTransaction`: takes a transaction out of the pool. */
export const anvilDropTransaction = defineMethod('anvil_dropTransaction', [hash], async ({ control }, txHash) => {
  const [dropped] = await control.discard([txHash])
  return dropped?.hash ?? null
})

/** `hardhat_dropTransaction`: the same, refused for what is in a block already. */
export const hardhatDropTransaction = defineMethod(
  'hardhat_dropTransaction',
  [hash],
  async ({ chain, control }, txHash) => {
    if (chain.findTransaction(txHash)) {
      throw new RpcRefusedError('server', `Transaction ${txHash} cannot be dropped because it's already mined`)
    }
    return (await control.discard([txHash])).length > 0
  },
)

/** `anvil_dropAllTransactions`: empties the pool. */
export const anvilDropAllTransactions = defineMethod('anvil_dropAllTransactions', [], async ({ control, pool }) => {
  await control.discard(pool.transactions().map((tx) => tx.hash))
  return null
})

/** `anvil_removePoolTransactions`: takes out what one sender has in the pool. */
export const anvilRemovePoolTransactions = defineMethod(
  'anvil_removePoolTransactions',
  [address],
  async ({ control, pool }, sender) => {
    const own = pool.transactions().filter((tx) => tx.sender === sender)
    await control.discard(own.map((tx) => tx.hash))
    return null
  },
)
