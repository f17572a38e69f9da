import { keccak256, stringToHex } from 'viem'
import { type SpawnedNode, spawnNode } from '#client/node/spawn-node.ts'
import { RemoteAnswers } from '#client/remote/remote-answers.ts'
import { createObservable } from '#client/session/connection-state.ts'
import type { ForkedChain } from '#client/session/remote-endpoint.ts'
import type { ForkView } from '#client/session/session.ts'
import type { RemoteEndpoint } from '#endpoint/remote-endpoint.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { serveAsk } from '#transport/port/ask-port.ts'
import { gatherPort } from '#transport/port/gather-port.ts'
import type { WorkerLike } from '#transport/port/worker-handle.ts'
import { forkEndpoint } from './fork-endpoint.ts'
import { type ForkedBoot, forkedWorker } from './forked-worker.ts'

/** The session of a page whose own chain continues another one. */
export interface ForkSession extends SpawnedNode {
  readonly fork: ForkView
}

export interface ForkDeps {
  /** Whether a person has agreed already that the endpoint is asked. */
  readonly agreed: boolean
  /** Starts a worker that runs `src/worker/node-worker.ts`. */
  readonly startWorker: () => WorkerLike
  /** `location.protocol` of the page. */
  readonly pageProtocol: string
  /** Replaces the endpoint in tests. */
  readonly connect?: (chain: ForkedChain) => Pick<RemoteEndpoint, 'name' | 'ask' | 'close'>
}

/**
 * Name under which the tabs of this browser share and keep a fork: the same for the same endpoint and block, and where its time begins. The address of
 * the endpoint, which may hold a key, cannot be read from it.
 *
 * @returns `undefined` for a fork after the newest block, which has a name once its number is known.
 */
export function forkChainName(
  { endpoint, blockNumber }: ForkedChain,
  { forkTime = 'block' }: Pick<NodeOptions, 'forkTime'>,
): string | undefined {
  if (blockNumber === undefined) return undefined
  return `fork-${keccak256(stringToHex(`${endpoint.url}@${blockNumber}${forkTime === 'block' ? '' : ` ${forkTime}`}`)).slice(2, 26)}`
}

/**
 * Starts a chain that continues another one: in this page's worker, or in that of the tab that runs the same fork. The page
 * asks the other chain's endpoint for its worker, and only once a person has agreed: the address of a page may come from
 * anybody.
 */
export function openForkSession(options: NodeOptions, chain: ForkedChain, deps: ForkDeps): ForkSession {
  const { pageProtocol, startWorker, connect = ({ endpoint }) => forkEndpoint(endpoint, pageProtocol) } = deps
  const { endpoint, blockNumber } = chain
  const agreed = createObservable(deps.agreed)
  const answers = new RemoteAnswers()
  let asked: ReturnType<typeof connect> | undefined

  function boot(): ForkedBoot {
    // Nothing is asked for a worker that has ended.
    asked?.close()
    const remote = connect(chain)
    asked = remote
    const { port1, port2 } = new MessageChannel()
    serveAsk(gatherPort(port1), (method, params) => remote.ask(method, params))
    return { fork: { name: endpoint.host, url: endpoint.url, blockNumber }, port: port2 }
  }

  async function whenAgreed(): Promise<void> {
    if (agreed.get()) return
    await new Promise<void>((resolve) => {
      const stop = agreed.subscribe(() => {
        stop()
        resolve()
      })
    })
  }

  const node = spawnNode(options, forkChainName(chain, options), () =>
    forkedWorker(startWorker(), boot(), answers, whenAgreed()),
  )
  return {
    ...node,
    fork: {
      endpoint,
      blockNumber,
      agreed,
      agree: () => agreed.set(true),
      name: ({ fork }) =>
        fork &&
        `fork of ${Number(fork.chainId)} at #${Number(fork.number)}, ${fork.isProven ? 'proven' : 'not proven'}`,
      async first() {
        const { fork } = await node.provider.request({ method: 'devnet_status' })
        return Number(fork?.number) + 1
      },
    },
    close() {
      asked?.close()
      node.close()
    },
  }
}
