import type { RpcEndpoint } from '#rpc-types/connection.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'

/**
 * The result of a call that the server itself makes.
 *
 * @throws {Error} With the node's message.
 */
export async function ask(node: RpcEndpoint, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const connection = node.connect()
  try {
    const body = await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const answer = JSON.parse(body ?? '{}') as JsonRpcResponse
    if ('error' in answer) throw new Error(answer.error.message)
    return answer.result
  } finally {
    connection.close()
  }
}
