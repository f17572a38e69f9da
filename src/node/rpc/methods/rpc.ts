import { defineMethod } from '../define-method.ts'

/** `rpc_discover`: the OpenRPC document. It is loaded when someone asks for it, so that no start has to wait for it. */
export const rpcDiscover = defineMethod('rpc_discover', [], async () => {
  const { default: document } = await import('../openrpc.json')
  return document
})
