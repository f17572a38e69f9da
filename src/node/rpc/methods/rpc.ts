import { defineMethod, type MethodTable } from '../define-method.ts'

/** The node's own description. */
export const RPC_METHODS = {
  /** The OpenRPC document. It is loaded when someone asks for it, so that no start has to wait for it. */
  rpc_discover: defineMethod([], async () => {
    const { default: document } = await import('../openrpc.json')
    return document
  }),
} satisfies Partial<MethodTable>
