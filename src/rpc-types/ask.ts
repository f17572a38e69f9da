import type { RpcConnection, RpcEndpoint } from './connection.ts'
import type { JsonRpcResponse } from './envelope.ts'

/**
 * The result of a call that the host of a node makes itself.
 *
 * @throws {Error} With the node's message.
 */
export async function ask(node: RpcEndpoint, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const connection = node.connect()
  try {
    return await askOn(connection, method, ...params)
  } finally {
    connection.close()
  }
}

/**
 * Asks over a connection that stays open.
 *
 * @throws {Error} With the node's message.
 */
export async function askOn(
  connection: RpcConnection,
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> {
  const body = await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const answer = JSON.parse(body ?? '{}') as JsonRpcResponse
  if ('error' in answer) throw new Error(answer.error.message)
  return answer.result
}
