import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { FakeClock } from '#primitives/fake-clock.ts'
import type { Hex } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { JsonRpcErrorObject, JsonRpcNotification, JsonRpcResponse } from '#rpc-types/envelope.ts'
import type { MethodName, ResultOf } from '#rpc-types/methods.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { createNode, type Node } from '../node.ts'

/** A JSON-RPC error as the node answered it. */
export class RpcError extends Error {
  readonly error: JsonRpcErrorObject
  constructor(error: JsonRpcErrorObject) {
    super(error.message)
    this.error = error
  }
}

/** A real node on a fake clock, with what tests do all the time. */
export interface TestNode {
  readonly node: Node
  readonly clock: FakeClock
  /** What subscriptions pushed, oldest first. */
  readonly notifications: JsonRpcNotification['params'][]
  /** What the node logged, oldest first. */
  readonly logged: string[]
  /** @throws {RpcError} If the node answers with an error. */
  request<Name extends MethodName>(method: Name, params?: readonly unknown[]): Promise<ResultOf<Name>>
  /** The answer to a body as it stands. */
  raw(body: string): Promise<string | undefined>
}

/** Development account `index`, able to sign. */
export function devAccount(index: number): PrivateKeyAccount {
  const key = DEV_KEYS[index]
  if (!key) throw new RangeError(`no development account ${index}`)
  return privateKeyToAccount(key.privateKey)
}

/** Starts a node; by default time moves only by `clock.advance`. */
export async function createTestNode(options: NodeOptions = {}): Promise<TestNode> {
  const clock = new FakeClock()
  const logged: string[] = []
  const node = await createNode(options, { clock, log: (_level, message) => logged.push(message) })
  node.start()
  const notifications: JsonRpcNotification['params'][] = []
  const connection = node.connect((body) => {
    notifications.push((JSON.parse(body) as JsonRpcNotification).params)
  })
  let id = 0
  return {
    node,
    clock,
    notifications,
    logged,
    raw: (body) => connection.handle(body),
    async request<Name extends MethodName>(method: Name, params: readonly unknown[] = []) {
      const body = await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }))
      const response = JSON.parse(body ?? 'null') as JsonRpcResponse
      if ('error' in response) throw new RpcError(response.error)
      return response.result as ResultOf<Name>
    },
  }
}

/** A signed type-2 transfer of development account `from`. */
export function signTransfer(
  from: number,
  nonce: number,
  overrides: { readonly to?: Hex; readonly value?: bigint; readonly maxFeePerGas?: bigint; readonly tip?: bigint } = {},
): Promise<Hex> {
  return devAccount(from).signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce,
    gas: 21_000n,
    to: overrides.to ?? devAccount(9).address,
    value: overrides.value ?? 1n,
    maxFeePerGas: overrides.maxFeePerGas ?? 10_000_000_000n,
    maxPriorityFeePerGas: overrides.tip ?? 1_000_000_000n,
  })
}
