import type { RepeatableOf } from './method.ts'
import { ANVIL_REPEATABLE, type AnvilMethods } from './methods/anvil.ts'
import { CHAIN_REPEATABLE, type ChainMethods } from './methods/chain.ts'
import { DEBUG_REPEATABLE, type DebugMethods } from './methods/debug.ts'
import { DEVNET_REPEATABLE, type DevnetMethods } from './methods/devnet.ts'
import { ETH_REPEATABLE, type EthMethods } from './methods/eth.ts'
import { EVM_REPEATABLE, type EvmMethods } from './methods/evm.ts'
import { HARDHAT_REPEATABLE, type HardhatMethods } from './methods/hardhat.ts'
import { NET_REPEATABLE, type NetMethods } from './methods/net.ts'
import { OTS_REPEATABLE, type OtsMethods } from './methods/ots.ts'
import { PERSONAL_REPEATABLE, type PersonalMethods } from './methods/personal.ts'
import { type DiscoveryMethods, RPC_REPEATABLE } from './methods/rpc.ts'
import { TRACE_REPEATABLE, type TraceMethods } from './methods/trace.ts'
import { TXPOOL_REPEATABLE, type TxpoolMethods } from './methods/txpool.ts'
import { WALLET_REPEATABLE, type WalletMethods } from './methods/wallet.ts'
import { WEB3_REPEATABLE, type Web3Methods } from './methods/web3.ts'

/** Positional parameters and result of every method. The node implements exactly these; the page calls nothing else. */
export interface RpcMethods
  extends AnvilMethods,
    ChainMethods,
    DebugMethods,
    DevnetMethods,
    EthMethods,
    EvmMethods,
    HardhatMethods,
    NetMethods,
    OtsMethods,
    PersonalMethods,
    DiscoveryMethods,
    TraceMethods,
    TxpoolMethods,
    WalletMethods,
    Web3Methods {}

export type MethodName = keyof RpcMethods
export type ParamsOf<Name extends MethodName> = RpcMethods[Name]['params']
export type ResultOf<Name extends MethodName> = RpcMethods[Name]['result']

/** Methods that may be called again after a fail-over. */
export const REPEATABLE: RepeatableOf<RpcMethods> = {
  ...ANVIL_REPEATABLE,
  ...CHAIN_REPEATABLE,
  ...DEBUG_REPEATABLE,
  ...DEVNET_REPEATABLE,
  ...ETH_REPEATABLE,
  ...EVM_REPEATABLE,
  ...HARDHAT_REPEATABLE,
  ...NET_REPEATABLE,
  ...OTS_REPEATABLE,
  ...PERSONAL_REPEATABLE,
  ...RPC_REPEATABLE,
  ...TRACE_REPEATABLE,
  ...TXPOOL_REPEATABLE,
  ...WALLET_REPEATABLE,
  ...WEB3_REPEATABLE,
}
