import { TxRejectedError } from '#node/tx/rejection.ts'
import type { Transaction } from '#node/tx/transaction.ts'
import type { BestTransactions } from '#node/txpool/best-transactions.ts'
import type { PoolAccount } from '#node/txpool/sender-queue.ts'
import { TxPool } from '#node/txpool/txpool.ts'
import type { Address } from '#primitives/hex.ts'
import { testSender, testTransaction } from './transaction.ts'

const RICH = 10n ** 30n

/** Limits of a pool, unless a test has others. */
export const LIMITS = {
  maxPending: 100,
  maxQueued: 100,
  maxPerSender: 100,
  replacement: 'tenth',
  dropsUnpriced: false,
} as const
/** Limits that a test may change. */
export type TestLimits = Partial<Record<'maxPending' | 'maxQueued' | 'maxPerSender', number>>

export function setUp(limits: TestLimits = {}) {
  const accounts = new Map<Address, PoolAccount>()
  const block = { gasLimit: 400_000_000n }
  const pool = new TxPool({
    limits: { ...LIMITS, ...limits },
    account: (address) => accounts.get(address) ?? { nonce: 0n, balance: RICH },
    sealedNonce: () => 0n,
    isInLiveBlock: () => false,
    gasLimit: () => block.gasLimit,
    isDelegation: () => false,
  })
  const setAccount = (sender: number, nonce: number, balance = RICH) =>
    accounts.set(testSender(sender), { nonce: BigInt(nonce), balance })
  const add = (fields: Parameters<typeof testTransaction>[0]) => {
    const tx = testTransaction(fields)
    return { tx, ...pool.add(tx) }
  }
  return { pool, add, accounts, setAccount, block }
}

export function all(best: BestTransactions): Transaction[] {
  const taken: Transaction[] = []
  for (let tx = best.next(); tx; tx = best.next()) taken.push(tx)
  return taken
}

export function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof TxRejectedError) return error.code
    throw error
  }
  return 'accepted'
}
