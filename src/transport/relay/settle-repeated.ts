import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { type BodyCall, callsOf, mapMembers } from './bodies.ts'

/**
 * Corrects the answer to a body that was also sent to an earlier node. If the chain has the transaction, that node
 * accepted it, whatever this one says now (`already known`, `nonce too low`); the answer is then its hash.
 *
 * @param ask - Sends a body to the node.
 */
export async function settleRepeated(body: string, answer: string, ask: Ask): Promise<string> {
  const submitted = callsOf(body).filter(({ method }) => method === 'eth_sendRawTransaction')
  if (submitted.length === 0 || !answer.includes('"error"')) return answer
  const known = new Map<unknown, string>()
  const lookUp = async ({ id, params }: BodyCall) => {
    const hash = await acceptedHash(params, ask)
    if (hash !== undefined) known.set(id, hash)
  }
  await Promise.all(submitted.map(lookUp))
  return mapMembers(answer, (member) => {
    const response = member as JsonRpcResponse
    const result = known.get(response.id)
    return 'error' in response && result !== undefined ? { jsonrpc: '2.0', id: response.id, result } : member
  })
}

type Ask = (body: string) => Promise<string | undefined>

/** The hash of a submitted transaction, if the chain has it. */
async function acceptedHash(params: unknown, ask: Ask): Promise<string | undefined> {
  const [raw] = Array.isArray(params) ? (params as unknown[]) : []
  const hash = await request(ask, 'web3_sha3', [raw])
  if (typeof hash !== 'string') return undefined
  const known = (await request(ask, 'chain_transactionStatus', [hash])) as { readonly status: string } | undefined
  return known?.status === 'Known' ? hash : undefined
}

/** A method's result; `undefined` if the node returns an error. */
async function request(ask: Ask, method: string, params: readonly unknown[]): Promise<unknown> {
  const text = await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  return text === undefined ? undefined : (JSON.parse(text) as { readonly result?: unknown }).result
}
