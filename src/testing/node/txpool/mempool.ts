import type { TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { decodeTransaction } from '#node/tx/decode.ts'
import { TxRejectedError } from '#node/tx/rejection.ts'
import type { Transaction } from '#node/tx/transaction.ts'
import { Mempool, type MempoolEvents } from '#node/txpool/mempool.ts'
import type { PoolAccount } from '#node/txpool/sender-queue.ts'
import { Emitter } from '#primitives/emitter.ts'
import { type Address, type Hash, type Hex, hexToBytes } from '#primitives/hex.ts'
import { LIMITS, type TestLimits } from './txpool.ts'

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
  chainId = 31_337,
  gasLimit = 400_000_000n,
  allowUnprotected = false,
  accounts = {},
  limits = {},
  live = [],
}: {
  chainId?: number
  gasLimit?: bigint
  allowUnprotected?: boolean
  accounts?: Record<Address, PoolAccount>
  limits?: TestLimits
  live?: Hash[]
} = {}) {
  const events = new Emitter<MempoolEvents & Record<string, unknown>>()
  const logged: string[] = []
  const mempool = new Mempool({
    rules: { chainId, codeSizeLimit: 24_576, allowUnprotected, capsTransactionGas: true },
    events,
    log: (message) => logged.push(message),
    isOnChain: (hash) => live.includes(hash),
    limits: { ...LIMITS, ...limits },
    account: (address) => accounts[address] ?? { nonce: 0n, balance: ETHER },
    sealedNonce: (address) => accounts[address]?.nonce ?? 0n,
    isInLiveBlock: (hash) => live.includes(hash),
    gasLimit: () => gasLimit,
    isDelegation: () => false,
  })
  let replaced: Transaction | undefined
  let evicted: Transaction[] = []
  /** The events in order. */
  const told: unknown[][] = []
  events.on('accepted', (accepted) => {
    replaced = accepted.replaced
    evicted = []
    told.push(['accepted', accepted.tx.hash])
  })
  events.on('dropped', ({ tx, reason }) => {
    evicted.push(tx)
    told.push(['dropped', tx.hash, reason])
  })
  events.on('withdrawn', ({ transactions, fate }) =>
    told.push(['withdrawn', transactions.map(({ hash }) => hash), fate]),
  )
  /** Submits a transaction, and returns what the events say about it. */
  const submit = (raw: Hex) => {
    const tx = mempool.submit(decodeTransaction(hexToBytes(raw)))
    return { tx, replaced, evicted }
  }
  const refused = (raw: Hex): Pick<TxRejectedError, 'code' | 'message' | 'data'> => {
    try {
      submit(raw)
    } catch (error) {
      if (!(error instanceof TxRejectedError)) throw error
      return { code: error.code, message: error.message, data: error.data }
    }
    throw new Error('the transaction was accepted')
  }
  return { mempool, submit, refused, told, logged }
}

export const sign = (changes: Partial<TransactionSerializable> = {}, signer = account): Promise<Hex> =>
  signer.signTransaction({ ...TRANSFER, ...changes } as TransactionSerializable)
