import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'
import { type FactsOf, NOTHING } from '#rpc-types/method.ts'
import type { AtomicStatus } from '#rpc-types/node-options.ts'
import type { RpcLog } from '#rpc-types/objects.ts'

/** Wallet basics, and bundles of calls (EIP-5792). */
export interface WalletMethods {
  /** EIP-3085: the node's own chain is there already, another cannot be added. */
  wallet_addEthereumChain: { params: [chain: RpcAddedChain]; result: null }
  /** EIP-3326: nothing is left to do for the node's own chain, others are not known. */
  wallet_switchEthereumChain: { params: [chain: { chainId: Quantity }]; result: null }
  /** EIP-747, which has the parameters in an object rather than a list; the node takes both. */
  wallet_watchAsset: { params: [asset: RpcWatchedAsset]; result: true }
  /** EIP-2255: what callers may do, which is to see the accounts. */
  wallet_getPermissions: { params: []; result: readonly RpcPermission[] }
  /** EIP-2255: all that can be asked for is granted already. */
  wallet_requestPermissions: { params: [requested: { eth_accounts?: object }]; result: readonly RpcPermission[] }
  /** EIP-5792: what `wallet_sendCalls` can do for the account, by chain id. */
  wallet_getCapabilities: {
    params: [account?: Address, chainIds?: readonly Quantity[]]
    result: Record<Quantity, RpcCapabilities>
  }
  /**
   * EIP-5792: one transaction for all calls where the account can do that, else one for each, in their order. The gas of all
   * is estimated before the first is sent. Their hashes are told as CAIP-345 has them. With the capability `mayFail` it also
   * sends calls whose estimates fail.
   */
  wallet_sendCalls: { params: [bundle: RpcCallBundle]; result: RpcSentBundle }
  /** EIP-5792: the status and receipts of a bundle's calls. */
  wallet_getCallsStatus: { params: [id: string]; result: RpcCallsStatus }
  /** EIP-5792: nothing, since the node has no window to show it in. */
  wallet_showCallsStatus: { params: [id: string]; result: null }
}

export const WALLET_FACTS = {
  wallet_addEthereumChain: { effect: 'wallet', subject: NOTHING, guest: 'never' },
  wallet_switchEthereumChain: { effect: 'wallet', subject: NOTHING, guest: 'never' },
  wallet_watchAsset: { effect: 'wallet', subject: NOTHING, guest: 'never' },
  wallet_getPermissions: { effect: 'reads', subject: NOTHING, guest: 'never' },
  wallet_requestPermissions: { effect: 'wallet', subject: NOTHING, guest: 'never' },
  wallet_getCapabilities: { effect: 'reads', subject: NOTHING, guest: 'never' },
  wallet_sendCalls: { effect: 'changes', subject: NOTHING, guest: 'never', approval: { asks: 'calls' } },
  wallet_getCallsStatus: { effect: 'reads', subject: NOTHING, guest: 'never' },
  wallet_showCallsStatus: { effect: 'wallet', subject: NOTHING, guest: 'never' },
} as const satisfies FactsOf<WalletMethods>

/** EIP-3085; the node looks at nothing but the id. */
export interface RpcAddedChain {
  readonly chainId: Quantity
  readonly chainName?: string
  readonly rpcUrls?: readonly string[]
  readonly [member: string]: unknown
}

/** EIP-747. */
export interface RpcWatchedAsset {
  readonly type: string
  readonly options: { readonly address: Address; readonly [member: string]: unknown }
}

/** EIP-2255, without `invoker`: the node does not know who its callers are. */
export interface RpcPermission {
  readonly parentCapability: 'eth_accounts'
  readonly caveats: readonly [{ readonly type: 'restrictReturnedAccounts'; readonly value: readonly Address[] }]
}

/** EIP-5792. */
export interface RpcCapabilities {
  /**
   * `supported`: the account's bundles are one transaction; `ready`: they can be, once the account is delegated
   * (EIP-7702), which a bundle with `atomicRequired` does; `unsupported`: one transaction for each call.
   */
  readonly atomic: { readonly status: AtomicStatus }
}

/** Besides `mayFail`, requests may name only optional ones. */
type RpcWantedCapabilities = Readonly<
  Record<string, { readonly optional?: boolean; readonly [member: string]: unknown }>
>

/** EIP-5792, what `wallet_sendCalls` takes. */
export interface RpcCallBundle {
  readonly version: string
  /** At most 4,096 characters; by default the node makes one. */
  readonly id?: string
  /** By default the first development account. */
  readonly from?: Address
  readonly chainId: Quantity
  readonly atomicRequired: boolean
  /**
   * Whether the account may be delegated for it; default true. A wallet that asks a person says false unless the person has
   * agreed: it is refused with 5750 then, should it need that.
   */
  readonly upgrade?: boolean
  readonly calls: readonly {
    readonly to?: Address
    readonly data?: Hex
    readonly value?: Quantity
    readonly capabilities?: RpcWantedCapabilities
  }[]
  readonly capabilities?: RpcWantedCapabilities
}

/** EIP-5792, what `wallet_sendCalls` answers. */
export interface RpcSentBundle {
  readonly id: string
  readonly capabilities: {
    /** CAIP-345: `caip2` is the chain, such as `eip155:1`. */
    readonly caip345: { readonly caip2: string; readonly transactionHashes: readonly Hash[] }
  }
}

/** EIP-5792. */
export interface RpcCallsStatus {
  readonly version: '2.0.0'
  readonly id: string
  readonly chainId: Quantity
  /** 100: not all are pre-confirmed yet; 200: all succeeded; 400: none will; 500: all reverted; 600: some only. */
  readonly status: 100 | 200 | 400 | 500 | 600
  /** Whether all calls are one transaction. */
  readonly atomic: boolean
  /** Receipts of the transactions that are pre-confirmed or sealed, in their order. */
  readonly receipts: readonly RpcCallReceipt[]
}

/** The part of a receipt that EIP-5792 has. */
export interface RpcCallReceipt {
  readonly logs: readonly Pick<RpcLog, 'address' | 'data' | 'topics'>[]
  readonly status: '0x0' | '0x1'
  /** 32 zero bytes while pre-confirmed. */
  readonly blockHash: Hash
  readonly blockNumber: Quantity
  readonly gasUsed: Quantity
  readonly transactionHash: Hash
}
