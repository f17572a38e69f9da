import { defineMethod, type MethodTable } from '../define-method.ts'

/** The network of this single node. */
export const NET_METHODS = {
  /** The chain id in decimal. */
  net_version: defineMethod([], ({ spec }) => String(spec.chainId)),

  /** The node can be called. */
  net_listening: defineMethod([], () => true),

  /** The chain has one node. */
  net_peerCount: defineMethod([], () => '0x0'),
} satisfies Partial<MethodTable>
