import { getContractAddress, type Hex, type TransactionSerializable } from 'viem'
import type { Address } from '#primitives/hex.ts'
import { devAccount } from './viem-clients.ts'

/** The fields of a transaction that differ from the usual ones. */
export type Request = Partial<TransactionSerializable> & { readonly type?: string }

/** Signs transactions of one development account, with fees that both chains accept. */
export function sender(index: number) {
  const account = devAccount(index)
  let nonce = 0
  return {
    account,
    address: account.address,
    /** Address of the contract that the next transaction would create. */
    nextContract: () => getContractAddress({ from: account.address, nonce: BigInt(nonce) }).toLowerCase() as Address,
    sign(request: Request): Promise<Hex> {
      const { type = 'eip1559' } = request
      const fees =
        type === 'legacy' || type === 'eip2930'
          ? { gasPrice: 3_000_000_000n }
          : { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
      const transaction = { chainId: 31337, gas: 1_000_000n, ...fees, ...request, type, nonce: nonce++ }
      return account.signTransaction(transaction as TransactionSerializable)
    },
    nonce: () => nonce,
    skipNonce: () => nonce++,
  }
}
