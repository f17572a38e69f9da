import type { Quantity } from '#primitives/hex.ts'
import { type FactsOf, NOTHING } from '#rpc-types/method.ts'

/** The network, which has one node. */
export interface NetMethods {
  /** The chain id in decimal. */
  net_version: { params: []; result: string }
  /** `true`: the node can be called. */
  net_listening: { params: []; result: boolean }
  /** 0: the chain has one node. */
  net_peerCount: { params: []; result: Quantity }
}

export const NET_FACTS = {
  net_version: { effect: 'reads', subject: NOTHING, guest: 'call', aliases: ['eth_networkId'] },
  net_listening: { effect: 'reads', subject: NOTHING, guest: 'call' },
  net_peerCount: { effect: 'reads', subject: NOTHING, guest: 'call' },
} as const satisfies FactsOf<NetMethods>
