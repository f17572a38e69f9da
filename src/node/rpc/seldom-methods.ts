import { ANVIL_CHAIN_METHODS } from './methods/anvil/chain.ts'
import { ANVIL_ERC20_METHODS } from './methods/anvil/erc20.ts'
import { ANVIL_FORK_METHODS } from './methods/anvil/forking.ts'
import { ANVIL_HEADER_METHODS } from './methods/anvil/header.ts'
import { ANVIL_MINED_METHODS } from './methods/anvil/mined-blocks.ts'
import { ANVIL_POOL_METHODS } from './methods/anvil/pool.ts'
import { ANVIL_REORG_METHODS } from './methods/anvil/reorg.ts'
import { DEBUG_WITNESS_METHODS } from './methods/debug/execution-witness.ts'
import { DEBUG_RAW_METHODS } from './methods/debug/raw.ts'
import { DEBUG_STORAGE_METHODS } from './methods/debug/storage-range.ts'
import { DEBUG_TRACE_METHODS } from './methods/debug/trace.ts'
import { DEBUG_GIVEN_BLOCK_METHODS } from './methods/debug/trace-block.ts'
import { DEVNET_ATOMIC_METHODS } from './methods/devnet/atomic.ts'
import { DEVNET_BUILD_METHODS } from './methods/devnet/builds.ts'
import { DEVNET_EXECUTION_METHODS } from './methods/devnet/executions.ts'
import { DEVNET_FILM_METHODS } from './methods/devnet/film.ts'
import { DEVNET_LIST_METHODS } from './methods/devnet/lists.ts'
import { ETH_ACCOUNT_METHODS } from './methods/eth/accounts.ts'
import { ETH_CALL_MANY_METHODS } from './methods/eth/call-many.ts'
import { ETH_MINING_METHODS } from './methods/eth/mining.ts'
import { ETH_RESEND_METHODS } from './methods/eth/resend.ts'
import { OTS_BLOCK_METHODS } from './methods/ots/blocks.ts'
import { OTS_SEARCH_METHODS } from './methods/ots/search.ts'
import { OTS_TRANSACTION_METHODS } from './methods/ots/transactions.ts'
import { PERSONAL_METHODS } from './methods/personal.ts'
import { TRACE_CALL_METHODS } from './methods/trace/calls.ts'
import { TRACE_OPCODE_METHODS } from './methods/trace/opcode-gas.ts'
import { TRACE_METHODS } from './methods/trace/trace.ts'
import { WALLET_BUNDLE_METHODS } from './methods/wallet/bundles.ts'

/** Methods that few callers ever need: one script, which is loaded with the first call of one of them. */
export const SELDOM_METHODS = {
  ...ANVIL_CHAIN_METHODS,
  ...ANVIL_ERC20_METHODS,
  ...ANVIL_FORK_METHODS,
  ...ANVIL_HEADER_METHODS,
  ...ANVIL_MINED_METHODS,
  ...ANVIL_POOL_METHODS,
  ...ANVIL_REORG_METHODS,
  ...DEBUG_RAW_METHODS,
  ...DEBUG_WITNESS_METHODS,
  ...DEBUG_STORAGE_METHODS,
  ...DEBUG_TRACE_METHODS,
  ...DEBUG_GIVEN_BLOCK_METHODS,
  ...DEVNET_ATOMIC_METHODS,
  ...DEVNET_BUILD_METHODS,
  ...DEVNET_EXECUTION_METHODS,
  ...DEVNET_FILM_METHODS,
  ...DEVNET_LIST_METHODS,
  ...ETH_ACCOUNT_METHODS,
  ...ETH_CALL_MANY_METHODS,
  ...ETH_MINING_METHODS,
  ...ETH_RESEND_METHODS,
  ...OTS_BLOCK_METHODS,
  ...OTS_SEARCH_METHODS,
  ...OTS_TRANSACTION_METHODS,
  ...PERSONAL_METHODS,
  ...TRACE_CALL_METHODS,
  ...TRACE_OPCODE_METHODS,
  ...TRACE_METHODS,
  ...WALLET_BUNDLE_METHODS,
}
