import type { FactsOf } from './method.ts'
import { ANVIL_FACTS } from './methods/anvil.ts'
import { CHAIN_FACTS } from './methods/chain.ts'
import { DEBUG_FACTS } from './methods/debug.ts'
import { DEVNET_FACTS } from './methods/devnet.ts'
import { ETH_FACTS } from './methods/eth.ts'
import { EVM_FACTS } from './methods/evm.ts'
import { HARDHAT_FACTS } from './methods/hardhat.ts'
import { NET_FACTS } from './methods/net.ts'
import { OTS_FACTS } from './methods/ots.ts'
import { PERSONAL_FACTS } from './methods/personal.ts'
import { RPC_FACTS } from './methods/rpc.ts'
import { TRACE_FACTS } from './methods/trace.ts'
import { TXPOOL_FACTS } from './methods/txpool.ts'
import { WALLET_FACTS } from './methods/wallet.ts'
import { WEB3_FACTS } from './methods/web3.ts'
import type { RpcMethods } from './methods.ts'

/**
 * The facts of every method. Only tables that are worked out when the page is built (`*.derived.ts`) and tests import them:
 * no script has more of them than it uses.
 */
export const METHOD_FACTS = {
  ...ANVIL_FACTS,
  ...CHAIN_FACTS,
  ...DEBUG_FACTS,
  ...DEVNET_FACTS,
  ...ETH_FACTS,
  ...EVM_FACTS,
  ...HARDHAT_FACTS,
  ...NET_FACTS,
  ...OTS_FACTS,
  ...PERSONAL_FACTS,
  ...RPC_FACTS,
  ...TRACE_FACTS,
  ...TXPOOL_FACTS,
  ...WALLET_FACTS,
  ...WEB3_FACTS,
} as const satisfies FactsOf<RpcMethods>
