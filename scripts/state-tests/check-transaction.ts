import type { BlockEnv } from '#node/evm/block-env.ts'
import { isDelegation } from '#node/evm/transactions/authorization.ts'
import { BLOB_GAS, MAX_CODE_BYTES, MAX_TRANSACTION_GAS } from '#node/spec/gas-schedule.ts'
import { type HardforkName, isSince } from '#node/spec/rules.ts'
import type { WorldState } from '#node/state/world-state.ts'
import { floorGas, intrinsicGas } from '#node/tx/intrinsic-gas.ts'
import type { BlobTransaction } from '#node/tx/transaction.ts'
import { feeCap, MAX_NONCE, maxCost, tipCap } from '#node/tx/transaction.ts'
import type { TransactionException } from './fixture.ts'
import type { TestedTransaction } from './read-transaction.ts'

type Finding = TransactionException | null

/** First byte of a blob's versioned hash (EIP-4844). */
const BLOB_VERSION = '0x01'
/** Most blobs per transaction; before Osaka, this is the block's limit (EIP-4844, EIP-7691, EIP-7594). */
const MAX_BLOBS: Readonly<Record<HardforkName, number>> = { Cancun: 6, Prague: 9, Osaka: 6 }
const MAX_BLOCK_BLOBS = 9

/** The first rule that the transaction violates as the only one of its block, in geth's order. */
export function checkTransaction(
  hardfork: HardforkName,
  chainId: bigint,
  state: WorldState,
  env: BlockEnv,
  tx: TestedTransaction,
): Finding {
  return (
    checkSender(chainId, state, tx) ??
    checkFees(env, tx) ??
    checkBlobs(hardfork, env, tx) ??
    checkAuthorizations(hardfork, tx) ??
    checkGas(hardfork, env, tx) ??
    checkFunds(state, tx) ??
    checkCoveredGas(hardfork, tx)
  )
}

function checkSender(chainId: bigint, state: WorldState, tx: TestedTransaction): Finding {
  if (tx.chainId !== null && tx.chainId !== chainId) return 'TransactionException.INVALID_CHAINID'
  const nonce = state.account(tx.sender)?.nonce ?? 0n
  if (tx.nonce < nonce) return 'TransactionException.NONCE_MISMATCH_TOO_LOW'
  if (tx.nonce > nonce) return 'TransactionException.NONCE_MISMATCH_TOO_HIGH'
  if (nonce === MAX_NONCE) return 'TransactionException.NONCE_IS_MAX'
  const code = state.code(tx.sender)
  return code.length > 0 && !isDelegation(code) ? 'TransactionException.SENDER_NOT_EOA' : null
}

function checkFees({ baseFee }: BlockEnv, tx: TestedTransaction): Finding {
  if (tipCap(tx) > feeCap(tx)) return 'TransactionException.PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS'
  return feeCap(tx) < baseFee ? 'TransactionException.INSUFFICIENT_MAX_FEE_PER_GAS' : null
}

function checkBlobs(hardfork: HardforkName, { blobBaseFee = 1n }: BlockEnv, tx: TestedTransaction): Finding {
  if (tx.type !== 3) return null
  if (tx.to === null) return 'TransactionException.TYPE_3_TX_CONTRACT_CREATION'
  const count = tx.blobHashes.length
  if (count === 0) return 'TransactionException.TYPE_3_TX_ZERO_BLOBS'
  if (isSince(hardfork, 'Osaka') && count > MAX_BLOCK_BLOBS) {
    return 'TransactionException.TYPE_3_TX_MAX_BLOB_GAS_ALLOWANCE_EXCEEDED'
  }
  if (count > MAX_BLOBS[hardfork]) return 'TransactionException.TYPE_3_TX_BLOB_COUNT_EXCEEDED'
  if (tx.blobHashes.some((hash) => !hash.startsWith(BLOB_VERSION))) {
    return 'TransactionException.TYPE_3_TX_INVALID_BLOB_VERSIONED_HASH'
  }
  return tx.maxFeePerBlobGas < blobBaseFee ? 'TransactionException.INSUFFICIENT_MAX_FEE_PER_BLOB_GAS' : null
}

function checkAuthorizations(hardfork: HardforkName, tx: TestedTransaction): Finding {
  if (tx.type !== 4) return null
  if (!isSince(hardfork, 'Prague')) return 'TransactionException.TYPE_4_TX_PRE_FORK'
  if (tx.to === null) return 'TransactionException.TYPE_4_TX_CONTRACT_CREATION'
  return tx.authorizationList.length === 0 ? 'TransactionException.TYPE_4_EMPTY_AUTHORIZATION_LIST' : null
}

function checkGas(hardfork: HardforkName, { gasLimit }: BlockEnv, { gas }: TestedTransaction): Finding {
  if (isSince(hardfork, 'Osaka') && gas > MAX_TRANSACTION_GAS) return 'TransactionException.GAS_LIMIT_EXCEEDS_MAXIMUM'
  return gas > gasLimit ? 'TransactionException.GAS_ALLOWANCE_EXCEEDED' : null
}

function checkFunds(state: WorldState, tx: TestedTransaction): Finding {
  const cost = maxCost(tx) + (tx.type === 3 ? blobGas(tx) * tx.maxFeePerBlobGas : 0n)
  return (state.account(tx.sender)?.balance ?? 0n) < cost ? 'TransactionException.INSUFFICIENT_ACCOUNT_FUNDS' : null
}

function blobGas({ blobHashes }: Pick<BlobTransaction, 'blobHashes'>): bigint {
  return BigInt(blobHashes.length) * BLOB_GAS
}

function checkCoveredGas(hardfork: HardforkName, tx: TestedTransaction): Finding {
  if (tx.gas < intrinsicGas(tx)) return 'TransactionException.INTRINSIC_GAS_TOO_LOW'
  if (isSince(hardfork, 'Prague') && tx.gas < floorGas(tx))
    return 'TransactionException.INTRINSIC_GAS_BELOW_FLOOR_GAS_COST'
  return tx.to === null && tx.input.length > 2 * MAX_CODE_BYTES ? 'TransactionException.INITCODE_SIZE_EXCEEDED' : null
}
