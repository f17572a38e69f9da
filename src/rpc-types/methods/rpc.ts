import { type FactsOf, NOTHING } from '#rpc-types/method.ts'
import type { OpenRpcDocument } from '#rpc-types/open-rpc.ts'

/** The methods that describe the node's own methods. */
export interface DiscoveryMethods {
  /** This document: all methods and what they take and answer (OpenRPC). */
  rpc_discover: { params: []; result: OpenRpcDocument }
  /** The namespaces of the methods that there are, each with its version. */
  rpc_modules: { params: []; result: Readonly<Record<string, string>> }
}

export const RPC_FACTS = {
  rpc_discover: { effect: 'exports', subject: NOTHING, guest: 'never', aliases: ['rpc.discover'] },
  rpc_modules: { effect: 'reads', subject: NOTHING, guest: 'never' },
} as const satisfies FactsOf<DiscoveryMethods>
