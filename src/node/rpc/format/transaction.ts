import { bytesToHex, type Hash, type Hex, toQuantity } from '#primitives/hex.ts'
import type { RpcAuthorization, RpcTransaction } from '#rpc-types/objects.ts'
import type { Block, IncludedTransaction } from '../../payload/block.ts'
import { signatureV } from '../../tx/encode.ts'
import { type Authorization, feeCap, type Transaction } from '../../tx/transaction.ts'

/** Where a transaction is: pooled, pre-confirmed or sealed; see the table of protocol section 3. */
interface Place {
  readonly blockHash: Hash | null
  readonly blockNumber: Hex | null
  readonly transactionIndex: Hex | null
  readonly blockTimestamp?: Hex
}

const NOWHERE: Place = { blockHash: null, blockNumber: null, transactionIndex: null }

/** A transaction in the mempool: without a place, and with its fee cap as price. */
export function formatPooled(tx: Transaction): RpcTransaction {
  return format(tx, feeCap(tx), NOWHERE)
}

/** A transaction in a block, with its effective price; the block's hash and timestamp only once sealed. */
export function formatIncluded({ tx, receipt, transactionIndex }: IncludedTransaction, block: Block): RpcTransaction {
  const { header, hash, kind } = block
  return format(tx, receipt.effectiveGasPrice, {
    blockHash: kind === 'sealed' ? hash : null,
    blockNumber: toQuantity(header.number),
    transactionIndex: toQuantity(transactionIndex),
    ...(kind === 'sealed' && { blockTimestamp: toQuantity(header.timestamp) }),
  })
}

function format(tx: Transaction, gasPrice: bigint, place: Place): RpcTransaction {
  const base = {
    ...place,
    hash: tx.hash,
    from: tx.sender,
    to: tx.to,
    nonce: toQuantity(tx.nonce),
    gas: toQuantity(tx.gas),
    gasPrice: toQuantity(gasPrice),
    value: toQuantity(tx.value),
    input: bytesToHex(tx.input),
    r: toQuantity(tx.r),
    s: toQuantity(tx.s),
  }
  if (tx.type === 0) {
    const replayProtection = tx.chainId !== null && { chainId: toQuantity(tx.chainId) }
    return { ...base, type: '0x0', v: toQuantity(signatureV(tx, tx)), ...replayProtection }
  }
  const typed = {
    ...base,
    chainId: toQuantity(tx.chainId),
    v: toQuantity(tx.yParity),
    yParity: toQuantity(tx.yParity),
    accessList: tx.accessList,
  }
  if (tx.type === 1) return { ...typed, type: '0x1' }
  const fees = {
    maxFeePerGas: toQuantity(tx.maxFeePerGas),
    maxPriorityFeePerGas: toQuantity(tx.maxPriorityFeePerGas),
  }
  if (tx.type === 2) return { ...typed, ...fees, type: '0x2' }
  return { ...typed, ...fees, type: '0x4', authorizationList: tx.authorizationList.map(formatAuthorization) }
}

/** An authorization tuple (EIP-7702). */
export function formatAuthorization({ chainId, address, nonce, yParity, r, s }: Authorization): RpcAuthorization {
  return {
    chainId: toQuantity(chainId),
    address,
    nonce: toQuantity(nonce),
    yParity: toQuantity(yParity),
    r: toQuantity(r),
    s: toQuantity(s),
  }
}
