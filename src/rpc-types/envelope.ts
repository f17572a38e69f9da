import type { RpcStackTrace } from './stack-trace.ts'

/** A request id, echoed in its response; `null` where it could not be read. */
export type JsonRpcId = string | number | null

export interface JsonRpcRequest {
  readonly jsonrpc: '2.0'
  /** Absent on a notification, which gets no response. */
  readonly id?: JsonRpcId
  readonly method: string
  readonly params?: readonly unknown[]
}

export interface JsonRpcErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
  /** Where in the sources a call failed, if the node has them: a member of its own, since clients want hex in `data`. */
  readonly stackTrace?: Omit<RpcStackTrace, 'data'>
}

export interface JsonRpcSuccess {
  readonly jsonrpc: '2.0'
  readonly id: JsonRpcId
  readonly result: unknown
}

export interface JsonRpcFailure {
  readonly jsonrpc: '2.0'
  readonly id: JsonRpcId
  readonly error: JsonRpcErrorObject
}

export type JsonRpcResponse = JsonRpcSuccess | JsonRpcFailure

/** Pushed by a subscription: one event of the subscription `params.subscription`. */
export interface JsonRpcNotification {
  readonly jsonrpc: '2.0'
  readonly method: 'eth_subscription'
  readonly params: { readonly subscription: string; readonly result: unknown }
}

/** The last that a subscription pushes where the node ends it; its reader may subscribe again. */
export interface JsonRpcSubscriptionError {
  readonly jsonrpc: '2.0'
  readonly method: 'eth_subscription'
  readonly params: { readonly subscription: string; readonly error: JsonRpcErrorObject }
}
