import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import type { RpcConsoleLogs } from '#rpc-types/console.ts'
import type { ConsoleEvent } from '../../sequencer/events.ts'

/** Writes what an execution logged; its decoder is loaded with the first of them. */
export async function formatConsole(event: ConsoleEvent): Promise<RpcConsoleLogs> {
  const { decodeConsoleCall } = await import('#solidity/console.ts')
  const { transactionHash, method, from, to, blockNumber, error, calls } = event
  const lines = calls.inputs.map((bytes) => {
    const input = bytesToHex(bytes)
    const { text, values, signature = null } = decodeConsoleCall(input)
    return { input, text, values, signature }
  })
  return { transactionHash, method, from, to, blockNumber: toQuantity(blockNumber), error, lines, more: calls.more }
}
