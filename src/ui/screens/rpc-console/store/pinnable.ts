import { REPEATABLE } from '#rpc-types/methods.ts'

/** Methods that are safe to repeat, but each call leaves something behind, asks a person, or is expensive. */
const NOT_FOR_PINS = new Set([
  'eth_sendRawTransaction',
  'eth_subscribe',
  'eth_unsubscribe',
  'eth_newFilter',
  'eth_newBlockFilter',
  'eth_newPendingTransactionFilter',
  'eth_uninstallFilter',
  'eth_getFilterChanges',
  'wallet_addEthereumChain',
  'wallet_watchAsset',
  'anvil_dumpState',
  'hardhat_dumpState',
  'devnet_exportChain',
  'devnet_exportState',
  'rpc_discover',
])

/** Whether a method is read-only, so that it may run at every partial block. */
export function isPinnable(method: string): boolean {
  const known: Readonly<Record<string, boolean>> = REPEATABLE
  return Object.hasOwn(known, method) && known[method] === true && !NOT_FOR_PINS.has(method)
}
