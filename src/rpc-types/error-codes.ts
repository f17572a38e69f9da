/** JSON-RPC integers of protocol sections 4, 7 and 8 and of EIP-1193; the one place where they appear. */
export const ERROR_CODES = {
  'parse-error': -32700,
  'invalid-request': -32600,
  'method-not-found': -32601,
  'invalid-params': -32602,
  internal: -32603,
  /** Any refusal by the chain: a rejected transaction, a missing state, a failed call. */
  server: -32000,
  /** `eth_call` or `eth_estimateGas` reverted; `data` is the revert data. */
  reverted: 3,
  /** `eth_sendRawTransactionSync` ran out of time (EIP-7966). */
  timeout: 4,
  /** EIP-1193: the node is gone; nothing is known of the request's outcome. */
  disconnected: 4900,
} as const

export type ErrorName = keyof typeof ERROR_CODES
