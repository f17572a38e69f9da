import type { HardforkName } from '#node/spec/rules.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { EngineName } from '#rpc-types/node-options.ts'

/** One case of a fixture: one hardfork and one index of data, gas and value each from its `post`. */
export interface StateTest {
  readonly hardfork: HardforkName
  readonly chainId: number
  readonly pre: FixtureAlloc
  readonly env: FixtureEnv
  /** The transaction's fields, or its signed bytes (`txbytes`). */
  readonly tx: FixtureTransaction | Hex
  /** Default: the node's own; `compiled` is that, and compiles all code to WebAssembly before it runs. */
  readonly engine?: EngineName | 'compiled'
}

export interface StateTestResult {
  readonly stateRoot: Hash
  /** keccak256 of the RLP of the logs. */
  readonly logsHash: Hash
  /** Why the transaction is invalid and has changed nothing; `null` if it is valid. */
  readonly exception: TransactionException | null
}

/** The accounts before the transaction, in the format of the official state tests. */
export type FixtureAlloc = Readonly<Record<Address, FixtureAccount>>

interface FixtureAccount {
  readonly nonce: Hex
  /** Wei. */
  readonly balance: Hex
  readonly code: Hex
  /** Values by slot, both of variable length. */
  readonly storage: Readonly<Record<Hex, Hex>>
}

/** The block of the transaction. */
export interface FixtureEnv {
  readonly currentCoinbase: Address
  readonly currentGasLimit: Hex
  readonly currentNumber: Hex
  readonly currentTimestamp: Hex
  readonly currentBaseFee: Hex
  /** PREVRANDAO. */
  readonly currentRandom: Hex
  readonly currentExcessBlobGas?: Hex
}

/**
 * The transaction, for one index of data, gas and value each. Its type follows from the fields that are present; fee
 * market fields replace `gasPrice`.
 */
export interface FixtureTransaction {
  readonly nonce: Hex
  readonly gasLimit: Hex
  /** Empty to create a contract. */
  readonly to: Address | ''
  readonly value: Hex
  readonly data: Hex
  readonly sender: Address
  readonly gasPrice?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly accessList?: readonly { readonly address: Address; readonly storageKeys: readonly Hash[] }[] | null
  readonly maxFeePerBlobGas?: Hex
  readonly blobVersionedHashes?: readonly Hash[]
  readonly authorizationList?: readonly FixtureAuthorization[]
}

export interface FixtureAuthorization {
  readonly chainId: Hex
  readonly address: Address
  readonly nonce: Hex
  readonly v: Hex
  readonly r: Hex
  readonly s: Hex
}

/** Why a transaction is invalid, by the names in execution-spec-tests. */
export type TransactionException = `TransactionException.${
  | 'GAS_ALLOWANCE_EXCEEDED'
  | 'GAS_LIMIT_EXCEEDS_MAXIMUM'
  | 'INITCODE_SIZE_EXCEEDED'
  | 'INSUFFICIENT_ACCOUNT_FUNDS'
  | 'INSUFFICIENT_MAX_FEE_PER_BLOB_GAS'
  | 'INSUFFICIENT_MAX_FEE_PER_GAS'
  | 'INTRINSIC_GAS_BELOW_FLOOR_GAS_COST'
  | 'INTRINSIC_GAS_TOO_LOW'
  | 'INVALID_CHAINID'
  | 'INVALID_SIGNATURE_VRS'
  | 'NONCE_IS_MAX'
  | 'NONCE_MISMATCH_TOO_HIGH'
  | 'NONCE_MISMATCH_TOO_LOW'
  | 'PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS'
  | 'RLP_INVALID_VALUE'
  | 'SENDER_NOT_EOA'
  | 'TYPE_3_TX_BLOB_COUNT_EXCEEDED'
  | 'TYPE_3_TX_CONTRACT_CREATION'
  | 'TYPE_3_TX_INVALID_BLOB_VERSIONED_HASH'
  | 'TYPE_3_TX_MAX_BLOB_GAS_ALLOWANCE_EXCEEDED'
  | 'TYPE_3_TX_ZERO_BLOBS'
  | 'TYPE_4_EMPTY_AUTHORIZATION_LIST'
  | 'TYPE_4_TX_CONTRACT_CREATION'
  | 'TYPE_4_TX_PRE_FORK'
  | 'TYPE_NOT_SUPPORTED'}`
