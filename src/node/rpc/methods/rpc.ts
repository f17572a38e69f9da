import { defineMethod, type MethodTable } from '../define-method.ts'

/** The node's own description. */
export const RPC_METHODS = {
  /** The OpenRPC document. Loaded on the first call, so that it does not slow the start. */
  rpc_discover: defineMethod(
    [],
    async () => {
      const { default: document } = await import('../openrpc.json')
      return document
    },
    { queue: 'answer' },
  ),

  /** The namespaces of all methods. */
  rpc_modules: defineMethod([], ({ methodNames }) => {
    const namespaces = methodNames.map((name) => name.replace(/[._].*/, ''))
    return Object.fromEntries([...new Set(namespaces)].toSorted().map((namespace) => [namespace, '1.0']))
  }),
} satisfies Partial<MethodTable>
