import type { Hex } from 'viem'
import { toWord } from '#primitives/hex.ts'
import type { RpcCallFrame } from '#rpc-types/methods/debug.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'

export const from = devAccount(0).address.toLowerCase() as Hex

/** Test contracts, named for what they do. */
export const CODES = {
  /** Slot 1 = 5, then LOG1 of 32 bytes of memory with topic 7. */
  store: '0x6005600155600760205fa1',
  /** CALL of the address in word 0 with value 1 and no input; then LOG0. */
  call: '0x5f5f5f5f60015f355af1505f5fa0',
  /** DELEGATECALL, then STATICCALL, then CALLCODE of the address in word 0. */
  calls: '0x5f5f5f5f5f355af4505f5f5f5f5f355afa505f5f5f5f5f5f355af250',
  /** SELFDESTRUCT to the address in word 0. */
  destroy: '0x5f35ff',
  loop: '0x5b5f56',
} as const satisfies Record<string, Hex>

export const at = (name: string): Hex =>
  `0x${(name.length * 7 + name.charCodeAt(0)).toString(16).padStart(2, '0').repeat(20)}`
export const word = (value: string | number) => toWord(BigInt(value)).slice(2)

export async function withCodes(codes: Record<Hex, Hex>, options: NodeOptions = {}): Promise<TestNode> {
  const node = await createTestNode({ mode: 'manual', ...options })
  for (const [address, code] of Object.entries(codes)) await node.request('anvil_setCode', [address, code])
  return node
}

/** Sends a transaction of account 0 and gets it pre-confirmed. */
export async function send(
  { request }: TestNode,
  nonce: number,
  tx: { to?: Hex; data?: Hex; value?: bigint; gas?: bigint },
): Promise<Hex> {
  const raw = await devAccount(0).signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce,
    gas: 300_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    ...tx,
  })
  const hash = await request('eth_sendRawTransaction', [raw])
  await request('devnet_tick')
  return hash
}

export const callTracer = { tracer: 'callTracer', tracerConfig: { withLog: true } }

export async function frameOf({ request }: TestNode, hash: Hex, config: object = callTracer): Promise<RpcCallFrame> {
  return (await request('debug_traceTransaction', [hash, config])) as RpcCallFrame
}
