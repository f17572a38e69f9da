import type { Quantity } from '#primitives/hex.ts'
import type { RepeatableOf } from '#rpc-types/method.ts'

/** The network, which has one node. */
export interface NetMethods {
  /** The chain id in decimal. */
  net_version: { params: []; result: string }
  /** `true`: the node can be called. */
  net_listening: { params: []; result: boolean }
  /** 0: the chain has one node. */
  net_peerCount: { params: []; result: Quantity }
}

export const NET_REPEATABLE: RepeatableOf<NetMethods> = {
  net_version: true,
  net_listening: true,
  net_peerCount: true,
}
