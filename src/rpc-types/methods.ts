import type { AnvilMethods } from './methods/anvil.ts'
import type { ChainMethods } from './methods/chain.ts'
import type { DebugMethods } from './methods/debug.ts'
import type { DevnetMethods } from './methods/devnet.ts'
import type { EthMethods } from './methods/eth.ts'
import type { EvmMethods } from './methods/evm.ts'
import type { HardhatMethods } from './methods/hardhat.ts'
import type { NetMethods } from './methods/net.ts'
import type { OtsMethods } from './methods/ots.ts'
import type { PersonalMethods } from './methods/personal.ts'
import type { DiscoveryMethods } from './methods/rpc.ts'
import type { TraceMethods } from './methods/trace.ts'
import type { TxpoolMethods } from './methods/txpool.ts'
import type { WalletMethods } from './methods/wallet.ts'
import type { Web3Methods } from './methods/web3.ts'

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
