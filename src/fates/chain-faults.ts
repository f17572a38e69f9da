import type { Address, Hash, Quantity } from '#primitives/hex.ts'
import { toQuantity } from '#primitives/hex.ts'
import type { MethodName, ParamsOf, ResultOf } from '#rpc-types/methods.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import type { FaultName } from './fault.ts'

/** Kinds of faults that change the chain. */
export type ChainFaultKind = Extract<FaultName, 'withdraw' | 'lose' | 'replace' | 'late' | 'reorg'>

/** What these faults need of a chain. */
export interface ActedChain {
  /** Asks the node itself, where no fault is met. @throws {Error} With the node's message. */
  ask<Name extends MethodName>(method: Name, ...params: ParamsOf<Name>): Promise<ResultOf<Name>>
  /** The dapp's transactions, oldest first. */
  readonly sent: readonly Hash[]
  /** Number of the newest block when the fate began, which no fault goes back behind. */
  readonly firstHead: number
  readonly partialsPerBlock: number
}

/** What a fault has done, in words; `undefined` if it found nothing to act on. */
type Deed = Promise<string | undefined>

/** How many of the dapp's newest transactions a fault looks at. */
const MOST_LOOKED_AT = 100

/** The faults that change the chain. Each acts on the dapp's newest transaction that it can. */
export const CHAIN_FAULTS: Readonly<Record<ChainFaultKind, (chain: ActedChain) => Deed>> = {
  async withdraw(chain) {
    if (!(await hasPreconfirmed(chain))) return undefined
    const withdrawal = await chain.ask('devnet_withdrawNext', 'requeue', chain.sent.slice(-MOST_LOOKED_AT))
    return withdrawal
      ? `${count(withdrawal.withdrawn.length)} withdrawn from block ${Number(withdrawal.number)}`
      : undefined
  },

  async lose(chain) {
    const tx = await newest(chain, (each) => each.blockHash === null || depthOf(chain, each))
    if (tx) return (await takeBack(chain, tx, 'lose')) ? `${tx.hash} lost` : undefined
    if (chain.sent.length > 0 || !(await hasPreconfirmed(chain))) return undefined
    const withdrawal = await chain.ask('devnet_withdrawNext', 'lose')
    return withdrawal ? `${count(withdrawal.withdrawn.length)} lost` : undefined
  },

  async replace(chain) {
    const tx = await newest(chain, (each) => each.blockHash === null || depthOf(chain, each))
    if (!tx) return undefined
    if (tx.blockNumber !== null && !(await takeBack(chain, tx, 'requeue'))) return undefined
    const hash = await sendInPlaceOf(chain, tx)
    return hash && `${tx.hash} replaced by ${hash}`
  },

  async late(chain) {
    const { pending } = await chain.ask('txpool_status')
    if (Number(pending) === 0) return undefined
    await chain.ask('devnet_stallPartialBlocks', chain.partialsPerBlock)
    return `${count(Number(pending))} not taken for ${chain.partialsPerBlock} ticks`
  },

  async reorg(chain) {
    const tx = await newest(chain, (each) => each.blockHash !== null && depthOf(chain, each))
    const depth = tx ? await depthOf(chain, tx) : chain.sent.length === 0 ? 1 : 0
    if (depth === 0 || (await headOf(chain)) - depth < chain.firstHead) return undefined
    const { removed } = await chain.ask('devnet_reorg', depth, 'requeue')
    return `${removed.length} ${removed.length === 1 ? 'block' : 'blocks'} reverted`
  },
}

const count = (transactions: number) => `${transactions} ${transactions === 1 ? 'transaction' : 'transactions'}`

async function headOf(chain: ActedChain): Promise<number> {
  return Number(await chain.ask('eth_blockNumber'))
}

async function hasPreconfirmed(chain: ActedChain): Promise<boolean> {
  return (await chain.ask('devnet_status')).live.transactionCount > 0
}

/** The dapp's newest transaction that is there, and that a fault can act on. */
async function newest(
  chain: ActedChain,
  fits: (tx: RpcTransaction) => boolean | Promise<number>,
): Promise<RpcTransaction | undefined> {
  for (const hash of chain.sent.slice(-MOST_LOOKED_AT).toReversed()) {
    const tx = await chain.ask('eth_getTransactionByHash', hash)
    if (tx && (await fits(tx))) return tx
  }
  return undefined
}

/** How many blocks a reorg has to revert for a sealed transaction; 0 if that went back behind the fate's beginning. */
async function depthOf(chain: ActedChain, { blockNumber }: RpcTransaction): Promise<number> {
  const number = Number(blockNumber)
  return number > chain.firstHead ? (await headOf(chain)) - number + 1 : 0
}

/** Takes a transaction out of the mempool, the live block or sealed ones. @returns Whether it was there. */
async function takeBack(chain: ActedChain, tx: RpcTransaction, fate: 'lose' | 'requeue'): Promise<boolean> {
  if (tx.blockNumber === null) return (await chain.ask('anvil_dropTransaction', tx.hash)) !== null
  if (tx.blockHash === null) return (await chain.ask('devnet_withdrawNext', fate, [tx.hash])) !== null
  return (await chain.ask('devnet_reorg', await depthOf(chain, tx), fate)).removed.length > 0
}

/** Sends nothing to the sender itself, for as little more than a transaction that waits as replaces it. */
async function sendInPlaceOf(chain: ActedChain, tx: RpcTransaction): Promise<Hash | undefined> {
  const { from, nonce, gas } = tx
  const raised = (fee: Quantity) => toQuantity((BigInt(fee) * 11n) / 10n + 1n)
  const fees =
    'maxFeePerGas' in tx
      ? { maxFeePerGas: raised(tx.maxFeePerGas), maxPriorityFeePerGas: raised(tx.maxPriorityFeePerGas) }
      : { gasPrice: raised(tx.gasPrice) }
  const known = (await chain.ask('eth_accounts')).some((account) => isSame(account, from))
  if (!known) await chain.ask('anvil_impersonateAccount', from)
  try {
    return await chain.ask('eth_sendTransaction', { from, to: from, value: '0x0', nonce, gas, ...fees })
  } finally {
    if (!known) await chain.ask('anvil_stopImpersonatingAccount', from)
  }
}

const isSame = (one: Address, other: Address) => one.toLowerCase() === other.toLowerCase()
