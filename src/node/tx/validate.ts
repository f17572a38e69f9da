import type { Hash } from '#primitives/hex.ts'
import type { ChainSpec } from '../spec/chain-spec.ts'
import { MAX_TRANSACTION_GAS } from '../spec/gas-schedule.ts'
import { atLeastFloorGas, intrinsicGas } from './intrinsic-gas.ts'
import { TxRejectedError } from './rejection.ts'
import { feeCap, MAX_NONCE, type Transaction, tipCap } from './transaction.ts'

/** Most bytes of a transaction, as in geth. */
const MAX_TRANSACTION_BYTES = 131_072
/**
 * The transaction that deploys the CREATE2 deployer at the same address on every chain: it cannot name a chain.
 *
 * @see {@link https://github.com/Arachnid/deterministic-deployment-proxy}
 */
const CREATE2_DEPLOYER_TRANSACTION: Hash = '0xeddf9e61fb9d8f5111840daef55e5fde0041f5702856532cdbb5a02998033d26'

/**
 * Refuses a legacy transaction that is valid on any chain.
 *
 * @throws {TxRejectedError} `not-replay-protected`.
 */
export function checkReplayProtection(tx: Transaction, spec: Pick<ChainSpec, 'allowUnprotected'>): void {
  if (tx.chainId !== null || spec.allowUnprotected || tx.hash === CREATE2_DEPLOYER_TRANSACTION) return
  throw new TxRejectedError('not-replay-protected', 'only replay-protected (EIP-155) transactions allowed over RPC')
}

/**
 * Checks everything that does not depend on the state or the pool, in geth's order.
 *
 * @throws {TxRejectedError} For the first violated rule.
 */
export function validateTransaction(
  tx: Transaction,
  spec: Pick<ChainSpec, 'chainId' | 'gasLimit' | 'codeSizeLimit' | 'capsTransactionGas'>,
): void {
  checkSize(tx, 2 * spec.codeSizeLimit)
  checkGasLimit(tx, spec)
  checkFees(tx)
  checkChain(tx, BigInt(spec.chainId))
  if (tx.nonce === MAX_NONCE) throw new TxRejectedError('nonce-max', 'nonce has max value', { txNonce: tx.nonce })
  checkCoveredGas(tx)
  if (tx.type === 4 && tx.authorizationList.length === 0) {
    throw new TxRejectedError('no-authorizations', 'set code tx must have at least one authorization tuple')
  }
}

function checkSize({ raw, to, input }: Transaction, limit: number): void {
  const size = raw.length
  if (size > MAX_TRANSACTION_BYTES) {
    const message = `oversized data: transaction size ${size}, limit ${MAX_TRANSACTION_BYTES}`
    throw new TxRejectedError('oversized', message, { size, limit: MAX_TRANSACTION_BYTES })
  }
  const codeSize = input.length
  if (to === null && codeSize > limit) {
    const message = `max initcode size exceeded: code size ${codeSize} limit ${limit}`
    throw new TxRejectedError('initcode-too-large', message, { codeSize, limit })
  }
}

function checkGasLimit(
  { gas }: Transaction,
  { gasLimit: blockGasLimit, capsTransactionGas }: Pick<ChainSpec, 'gasLimit' | 'capsTransactionGas'>,
): void {
  if (capsTransactionGas && gas > MAX_TRANSACTION_GAS) {
    const message = `transaction gas limit too high (cap: ${MAX_TRANSACTION_GAS}, tx: ${gas})`
    throw new TxRejectedError('gas-over-cap', message, { gas, cap: MAX_TRANSACTION_GAS })
  }
  if (gas > blockGasLimit) {
    throw new TxRejectedError('gas-over-block-limit', 'exceeds block gas limit', { gas, blockGasLimit })
  }
}

function checkFees(tx: Transaction): void {
  const maxFeePerGas = feeCap(tx)
  const maxPriorityFeePerGas = tipCap(tx)
  if (maxPriorityFeePerGas <= maxFeePerGas) return
  throw new TxRejectedError('tip-over-fee-cap', 'max priority fee per gas higher than max fee per gas', {
    maxFeePerGas,
    maxPriorityFeePerGas,
  })
}

function checkChain({ chainId: txChainId }: Transaction, chainId: bigint): void {
  if (txChainId === null || txChainId === chainId) return
  const message = `invalid sender: invalid chain id for signer: have ${txChainId} want ${chainId}`
  throw new TxRejectedError('wrong-chain', message, { chainId, txChainId })
}

function checkCoveredGas(tx: Transaction): void {
  const { gas } = tx
  const intrinsic = intrinsicGas(tx)
  if (gas < intrinsic) {
    const message = `intrinsic gas too low: gas ${gas}, minimum needed ${intrinsic}`
    throw new TxRejectedError('intrinsic-gas-too-low', message, { gas, minimumGas: intrinsic })
  }
  const floor = atLeastFloorGas(gas, tx)
  if (gas < floor) {
    const message = `insufficient gas for floor data gas cost: gas ${gas}, minimum needed ${floor}`
    throw new TxRejectedError('floor-gas-too-low', message, { gas, minimumGas: floor })
  }
}
