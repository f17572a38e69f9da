import { createProvider } from '#client/session/provider.ts'
import { type Hex, toQuantity } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'

type Params = readonly unknown[]

/** A node with the methods that the load calls; a test sets `answers` to change its answers. */
export class FakeLoadNode {
  readonly asked: { readonly method: string; readonly params: Params }[] = []
  readonly raws: Hex[] = []
  readonly answers: Record<string, (params: Params) => unknown> = {
    eth_chainId: () => '0x7a69',
    eth_getTransactionCount: () => '0x5',
    eth_getBalance: () => toQuantity(10n ** 20n),
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_getBlockByNumber: () => ({ baseFeePerGas: '0x64' }),
    eth_getCode: () => '0x60',
    devnet_faucet: () => '0x1',
    txpool_status: () => ({ pending: '0x0', queued: '0x0' }),
    eth_sendRawTransaction: ([raw]) => {
      this.raws.push(raw as Hex)
      return '0x01'
    },
  }

  readonly provider = createProvider(async (body) => {
    const { id, method, params = [] } = JSON.parse(body) as JsonRpcRequest & { readonly params?: Params }
    this.asked.push({ method, params })
    const result = this.answers[method]?.(params)
    const isRefusal = typeof result === 'object' && result !== null && 'refusal' in result
    const answer = isRefusal ? { error: { code: -32000, message: result.refusal } } : { result }
    return JSON.stringify({ jsonrpc: '2.0', id, ...answer })
  }).provider

  /** The parameters of all calls of a method. */
  calls(method: string): readonly Params[] {
    return this.asked.filter((call) => call.method === method).map(({ params }) => params)
  }
}
