/** Gas of a transaction that calls. */
export const TRANSACTION_GAS = 21_000n
/** Gas of a transaction that creates a contract (EIP-2). */
export const CREATION_TRANSACTION_GAS = 53_000n
/** A non-zero byte of input counts as this many tokens, a zero byte as one (EIP-7623). */
export const TOKENS_PER_NONZERO_BYTE = 4
/** Gas per token of input (EIP-2028: 4 gas per zero byte, 16 per other byte). */
export const TOKEN_GAS = 4n
/** Floor gas per token of input (EIP-7623). */
export const FLOOR_TOKEN_GAS = 10n
/** Gas per 32 bytes of initcode (EIP-3860). */
export const INITCODE_WORD_GAS = 2n
/** Most bytes of a contract's code (EIP-170); initcode may be twice as long (EIP-3860). */
export const MAX_CODE_BYTES = 24_576
/** Most bytes of a block's RLP: 10 MiB, less 2 MiB for the beacon block around it (EIP-7934). */
export const MAX_BLOCK_BYTES = 8_388_608
/** Gas per address of an access list (EIP-2930). */
export const ACCESS_LIST_ADDRESS_GAS = 2_400n
/** Gas per storage key of an access list (EIP-2930). */
export const ACCESS_LIST_KEY_GAS = 1_900n
/** Gas per authorization tuple, before refunds (EIP-7702). */
export const AUTHORIZATION_GAS = 25_000n
/** Blob gas per blob (EIP-4844). */
export const BLOB_GAS = 131_072n
/** Highest gas limit of a transaction (EIP-7825). */
export const MAX_TRANSACTION_GAS = 16_777_216n
