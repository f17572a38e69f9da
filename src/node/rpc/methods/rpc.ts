import { defineMethod, type MethodTable } from '../define-method.ts'

/** The node's own description. */
export const RPC_METHODS = {
  /** The OpenRPC document. It is loaded when someone asks for it, so that no start has to wait for it. */
  rpc_discover: defineMethod(
    [],
    async () => {
      const { default: document } = await import('../openrpc.json')
      return document
    },
    { queue: 'answer' },
  ),

  /** The namespaces of the methods that there are. */
  rpc_modules: defineMethod([], ({ methodNames }) => {
    const namespaces = methodNames.map((name) => name.replace(/[._].*/, ''))
    return Object.fromEntries([...new Set(namespaces)].toSorted().map((namespace) => [namespace, '1.0']))
  }),
} satisfies Partial<MethodTable>
