import type { TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { decodeTransaction } from '#node/tx/decode.ts'
import { TxRejectedError } from '#node/tx/rejection.ts'
import type { PoolAccount } from '#node/txpool/sender-queue.ts'
import { submitTransaction } from '#node/txpool/submit.ts'
import { TxPool } from '#node/txpool/txpool.ts'
import { type Address, type Hash, type Hex, hexToBytes } from '#primitives/hex.ts'

export const account = privateKeyToAccount(`0x${'17'.repeat(32)}`)
export const SENDER = account.address.toLowerCase() as Address
export const second = privateKeyToAccount(`0x${'18'.repeat(32)}`)
export const OTHER: Hex = `0x${'ab'.repeat(20)}`
export const ETHER = 10n ** 18n
export const TRANSFER = {
  type: 'eip1559',
  chainId: 31_337,
  nonce: 0,
  gas: 21_000n,
  to: OTHER,
  maxFeePerGas: 100n,
  maxPriorityFeePerGas: 10n,
} as const

export function setUp({
  gasLimit = 400_000_000n,
  allowUnprotected = false,
  accounts = {},
  limits = {},
  live = [],
}: {
  gasLimit?: bigint
  allowUnprotected?: boolean
  accounts?: Record<Address, PoolAccount>
  limits?: { maxPending?: number; maxQueued?: number; maxPerSender?: number }
  live?: Hash[]
} = {}) {
  const pool = new TxPool({
    limits: { maxPending: 100, maxQueued: 100, maxPerSender: 100, ...limits },
    account: (address) => accounts[address] ?? { nonce: 0n, balance: ETHER },
    isInLiveBlock: (hash) => live.includes(hash),
    gasLimit: () => gasLimit,
    isDelegation: () => false,
  })
  const spec = { chainId: 31_337, gasLimit, allowUnprotected }
  const submit = (raw: Hex) => submitTransaction(decodeTransaction(hexToBytes(raw)), { spec, pool })
  const refused = (raw: Hex): Pick<TxRejectedError, 'code' | 'message' | 'data'> => {
    try {
      submit(raw)
    } catch (error) {
      if (!(error instanceof TxRejectedError)) throw error
      return { code: error.code, message: error.message, data: error.data }
    }
    throw new Error('the transaction was accepted')
  }
  return { pool, submit, refused }
}

export const sign = (changes: Partial<TransactionSerializable> = {}, signer = account): Promise<Hex> =>
  signer.signTransaction({ ...TRANSFER, ...changes } as TransactionSerializable)
