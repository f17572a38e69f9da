/**
 * JSON-RPC integers of protocol sections 4, 7 and 8 and of EIP-1193; the one place where they appear.
 *
 * JSON-RPC leaves −32000 to −32099 to servers; in it we use only codes that geth or EIP-1474 has. A new refusal needs no
 * new code: a refusal is `server`, a full budget `limit-exceeded`, and the message says the rest. Add a code where a
 * standard gives the refusal one, because clients branch on it.
 */
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
  /** As geth has it: a call took too long, and what became of it is not known. Only a fate's endpoint answers it. */
  'timed-out': -32002,
  /** A batch whose answers are longer than a batch's may be. */
  'response-too-large': -32003,
  /** EIP-1474: a limit on requests, or a budget that callers share, is reached. */
  'limit-exceeded': -32005,
  /** `eth_simulateV1`, in the result of a call in it. */
  'vm-execution': -32015,
  /** `eth_simulateV1` as a whole: all that begin with `simulated-`. */
  'simulated-nonce-too-low': -38010,
  'simulated-nonce-too-high': -38011,
  'simulated-base-fee-too-low': -38012,
  'simulated-intrinsic-gas': -38013,
  'simulated-insufficient-funds': -38014,
  'simulated-block-gas-limit': -38015,
  'simulated-block-number': -38020,
  'simulated-block-timestamp': -38021,
  'simulated-initcode-too-large': -38025,
  'simulated-limit-exceeded': -38026,
  /** EIP-1193: the person at the page said no. */
  'user-rejected': 4001,
  /** EIP-1193: an account that the node does not sign for, or that the dapp may not use. */
  unauthorized: 4100,
  /** EIP-1193: the wallet does not do this. */
  'unsupported-method': 4200,
  /** EIP-1193: the node is gone; nothing is known of the request's outcome. */
  disconnected: 4900,
  /** EIP-1193: the wallet is on a chain that it is not connected to. */
  'chain-disconnected': 4901,
  /** EIP-3326: the wallet does not know the chain. */
  'unrecognized-chain': 4902,
  /** EIP-5792: this one and all below. */
  'unsupported-capability': 5700,
  'unsupported-chain': 5710,
  'duplicate-id': 5720,
  'unknown-bundle': 5730,
  'bundle-too-large': 5740,
  'upgrade-rejected': 5750,
  'atomicity-unsupported': 5760,
} as const

export type ErrorName = keyof typeof ERROR_CODES
