import { ALIASES, EFFECTS } from '#rpc-types/method-tables.derived.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { Method, MethodTable } from './define-method.ts'
import { ANVIL_ACCOUNT_METHODS } from './methods/anvil/accounts.ts'
import { ANVIL_MINING_METHODS } from './methods/anvil/mining.ts'
import { ANVIL_NODE_METHODS } from './methods/anvil/node.ts'
import { ANVIL_SNAPSHOT_METHODS } from './methods/anvil/snapshots.ts'
import { ANVIL_TIME_METHODS } from './methods/anvil/time.ts'
import { CHAIN_METHODS } from './methods/chain.ts'
import { DEVNET_CLOCK_METHODS } from './methods/devnet/clock.ts'
import { DEVNET_FAULT_METHODS } from './methods/devnet/faults.ts'
import { DEVNET_NODE_METHODS } from './methods/devnet/node.ts'
import { DEVNET_STATE_METHODS } from './methods/devnet/state.ts'
import { DEVNET_STORAGE_METHODS } from './methods/devnet/storage.ts'
import { ETH_BLOCK_METHODS } from './methods/eth/blocks.ts'
import { ETH_CALL_METHODS } from './methods/eth/calls.ts'
import { ETH_CHAIN_METHODS } from './methods/eth/chain.ts'
import { ETH_FEE_METHODS } from './methods/eth/fees.ts'
import { ETH_LOG_METHODS } from './methods/eth/logs.ts'
import { ETH_SENDING_METHODS } from './methods/eth/sending.ts'
import { ETH_SIGNING_METHODS } from './methods/eth/signing.ts'
import { ETH_SIMULATION_METHODS } from './methods/eth/simulate.ts'
import { ETH_STATE_METHODS } from './methods/eth/state.ts'
import { ETH_SUBSCRIPTION_METHODS } from './methods/eth/subscriptions.ts'
import { ETH_TRANSACTION_METHODS } from './methods/eth/transactions.ts'
import { NET_METHODS } from './methods/net.ts'
import { RPC_METHODS } from './methods/rpc.ts'
import { TXPOOL_METHODS } from './methods/txpool.ts'
import { WALLET_METHODS } from './methods/wallet/basics.ts'
import { WEB3_METHODS } from './methods/web3.ts'

/** The methods that are loaded with the node: one line for each file. Every other one is in `seldom-methods.ts`. */
const METHODS = {
  ...CHAIN_METHODS,
  ...ANVIL_ACCOUNT_METHODS,
  ...ANVIL_SNAPSHOT_METHODS,
  ...ANVIL_MINING_METHODS,
  ...ANVIL_NODE_METHODS,
  ...ANVIL_TIME_METHODS,
  ...DEVNET_CLOCK_METHODS,
  ...DEVNET_FAULT_METHODS,
  ...DEVNET_NODE_METHODS,
  ...DEVNET_STATE_METHODS,
  ...DEVNET_STORAGE_METHODS,
  ...ETH_BLOCK_METHODS,
  ...ETH_CALL_METHODS,
  ...ETH_CHAIN_METHODS,
  ...ETH_FEE_METHODS,
  ...ETH_LOG_METHODS,
  ...ETH_SENDING_METHODS,
  ...ETH_SIGNING_METHODS,
  ...ETH_SIMULATION_METHODS,
  ...ETH_STATE_METHODS,
  ...ETH_SUBSCRIPTION_METHODS,
  ...ETH_TRANSACTION_METHODS,
  ...NET_METHODS,
  ...RPC_METHODS,
  ...TXPOOL_METHODS,
  ...WALLET_METHODS,
  ...WEB3_METHODS,
} satisfies Partial<MethodTable>

type LoadedName = keyof typeof METHODS
type SeldomName = Exclude<MethodName, LoadedName>

/** Loads the script of the other methods. Does not compile while a method of the contract has no handler. */
async function loadSeldomMethods(): Promise<Pick<MethodTable, SeldomName>> {
  return (await import('./seldom-methods.ts')).SELDOM_METHODS
}

/** A method with its own name; an alias shares it. */
export type NamedMethod = Method & { readonly name: MethodName }

const isLoaded = (name: MethodName): name is LoadedName => Object.hasOwn(METHODS, name)

const named = (name: MethodName): NamedMethod | SeldomName => (isLoaded(name) ? { ...METHODS[name], name } : name)

const byName: ReadonlyMap<string, NamedMethod | SeldomName> = new Map([
  ...(Object.keys(EFFECTS) as MethodName[]).map((name) => [name, named(name)] as const),
  ...Object.entries(ALIASES).map(([alias, name]) => [alias, named(name)] as const),
])

/** The names of all methods, aliases included. */
export const METHOD_NAMES: readonly string[] = [...byName.keys()]

/** The method with that name or alias; a promise if its script is loaded with its first call. */
export function findMethod(name: string): NamedMethod | Promise<NamedMethod> | undefined {
  const found = byName.get(name)
  return typeof found === 'string' ? loadSeldomMethod(found) : found
}

async function loadSeldomMethod(name: SeldomName): Promise<NamedMethod> {
  return { ...(await loadSeldomMethods())[name], name }
}
