import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { ExecutedCode } from '#node/evm/coverage/executed-code.ts'
import type { OpenedFork } from '#node/fork/open-fork.ts'
import { createNode, type Node } from '#node/node.ts'
import type { WholeStateRule } from '#node/persistence/whole-state-rule.ts'
import type { Journal } from '#node/storage/journal.ts'
import type { TimeLimits } from '#node/txpool/time-limits.ts'
import type { Hex } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { JsonRpcErrorObject, JsonRpcNotification, JsonRpcResponse } from '#rpc-types/envelope.ts'
import type { MethodName, ResultOf } from '#rpc-types/methods.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { ContractWatch } from './rpc/contract-watch.ts'

/** A JSON-RPC error as the node answered it. */
export class RpcError extends Error {
  readonly error: JsonRpcErrorObject
  constructor(error: JsonRpcErrorObject) {
    super(error.message)
    this.error = error
  }
}

/** A real node with a fake clock, and common actions of tests. */
export interface TestNode {
  readonly node: Node
  readonly clock: FakeClock
  /** All notifications of subscriptions, oldest first. */
  readonly notifications: JsonRpcNotification['params'][]
  /** All log lines of the node, oldest first. */
  readonly logged: string[]
  /**
   * Checks parameters, result and notifications against the OpenRPC document.
   *
   * @throws {RpcError} If the node answers with an error.
   * @throws {Error} If the node accepts, answers or pushes something that is not in the contract.
   */
  readonly request: <Name extends MethodName>(method: Name, params?: readonly unknown[]) => Promise<ResultOf<Name>>
  /** A request with parameters that the node accepts although the contract does not have them. */
  requestLoosely<Name extends MethodName>(method: Name, params: readonly unknown[]): Promise<ResultOf<Name>>
  /** The answer to a raw body. */
  raw(body: string): Promise<string | undefined>
}

/** By index: deriving a public key takes longer than signing. */
const devAccounts = new Map<number, PrivateKeyAccount>()

/** Development account `index`, which signs locally. */
export function devAccount(index: number): PrivateKeyAccount {
  const key = DEV_KEYS[index]
  if (!key) throw new RangeError(`no development account ${index}`)
  const account = devAccounts.get(index) ?? privateKeyToAccount(key.privateKey)
  devAccounts.set(index, account)
  return account
}

/** Services that a test may replace in its node. */
export interface TestNodeDeps {
  readonly journal?: Journal
  readonly tidyMs?: number
  readonly wholeStates?: WholeStateRule
  /** By default a new one. */
  readonly clock?: FakeClock
  readonly onTakenOver?: () => void
  readonly onReplaced?: () => void
  readonly film?: boolean
  readonly fork?: OpenedFork
  readonly timeLimits?: TimeLimits
  readonly heapBytes?: number
  readonly executed?: ExecutedCode
  /** By default 0: all but the newest blocks are read from the journal. */
  readonly memoryBytes?: number
}

/** Starts a node; by default time moves only by `clock.advance`. */
export async function createTestNode(
  options: NodeOptions = {},
  { clock = new FakeClock(), memoryBytes = 0, ...deps }: TestNodeDeps = {},
): Promise<TestNode> {
  const logged: string[] = []
  const node = await createNode(options, {
    ...deps,
    clock,
    memoryBytes,
    log: (_level, message) => logged.push(message),
  })
  node.start()
  const notifications: JsonRpcNotification['params'][] = []
  const watch = new ContractWatch()
  const connection = node.connect((body) => {
    const { params } = JSON.parse(body) as JsonRpcNotification
    notifications.push(params)
    watch.pushed(params)
  })
  let id = 0
  async function call<Name extends MethodName>(method: Name, params: readonly unknown[], loosely: boolean) {
    const request = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
    const response = JSON.parse((await connection.handle(request)) ?? 'null') as JsonRpcResponse
    if ('error' in response) throw new RpcError(response.error)
    // Another node's ways of answering are not those of the contract.
    if (options.as === undefined || options.as === 'blinknet') {
      if (!loosely) watch.taken(request)
      watch.answered(request, response.result)
    }
    return response.result as ResultOf<Name>
  }
  return {
    node,
    clock,
    notifications,
    logged,
    raw: (body) => connection.handle(body),
    request: (method, params = []) => call(method, params, false),
    requestLoosely: (method, params) => call(method, params, true),
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
