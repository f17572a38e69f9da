import { harmlessLine } from '#primitives/harmless-line.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import type { RpcConsoleLogs } from '#rpc-types/console.ts'
import type { JsonRpcNotification, JsonRpcResponse } from '#rpc-types/envelope.ts'

/** Most lines of one `console.log`. */
const MOST_LINES = 100
const INDENT = '    '

/** What an execution logged, for the server's output: whose it is, then its lines, indented as Hardhat does. */
export function describeConsole(logs: RpcConsoleLogs): string {
  const { transactionHash, method, from, to, blockNumber, error, lines, more } = logs
  const what =
    transactionHash === null
      ? `${method} from ${from} to ${to ?? 'a new contract'}`
      : `Transaction ${transactionHash} in block ${Number(blockNumber)}`
  return [
    error === null ? what : `${what} failed: ${harmlessLine(error)}`,
    '  console.log:',
    ...lines.flatMap(({ text }) => linesOf(text)).map((line) => `${INDENT}${line}`),
    ...(more > 0 ? [`${INDENT}(${more} more)`] : []),
  ].join('\n')
}

/** Line breaks stay, as those who debug use them; nothing else commands a terminal. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/)
  const shown = lines.slice(0, MOST_LINES).map((line) => harmlessLine(line))
  return lines.length > MOST_LINES ? [...shown, `(${lines.length - MOST_LINES} more lines)`] : shown
}

/**
 * Prints what contracts write with `console.log` until the node is closed.
 *
 * @returns Ends it.
 * @throws {Error} If the node does not take the subscription.
 */
export async function printConsole(node: RpcEndpoint, print: (text: string) => void): Promise<() => void> {
  const connection = node.connect((body) => {
    const { params } = JSON.parse(body) as JsonRpcNotification
    print(describeConsole(params.result as RpcConsoleLogs))
  })
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['consoleLogs'] }
  const answer = JSON.parse((await connection.handle(JSON.stringify(body))) ?? '{}') as JsonRpcResponse
  if ('error' in answer) throw new Error(answer.error.message)
  return () => connection.close()
}
