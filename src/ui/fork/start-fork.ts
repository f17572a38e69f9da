import { openForkSession } from '#client/fork/fork-session.ts'
import { watchPageLife } from '#client/node/open-node.ts'
import { takeNodeWorker } from '#client/node/start-node-worker.ts'
import type { ForkedChain } from '#client/session/remote-endpoint.ts'
import type { NodeSession } from '#client/session/session.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { allow, allowed, pageOfFork } from './fork-consent.ts'
import { noteFork } from './recent-forks.ts'

/**
 * Starts the fork of the page's address, once a person has agreed in this tab. Where the address names no block, it then
 * names that of the fork, so that a reload continues the same one.
 */
export function startFork(options: NodeOptions, chain: ForkedChain): NodeSession {
  const session = openForkSession(options, chain, {
    agreed: allowed(chain) === 'start',
    startWorker: takeNodeWorker,
    pageProtocol: location.protocol,
  })
  watchPageLife(session)
  const name = session.chain
  if (name !== undefined && 'locks' in navigator) {
    const stop = session.state.subscribe(() => {
      if (session.state.get().status !== 'ready') return
      stop()
      void noteFork(name)
    })
  }
  if (chain.blockNumber === undefined) {
    const stop = session.state.subscribe(() => {
      if (session.state.get().status !== 'ready') return
      stop()
      void nameBlock(session, chain)
    })
  }
  return session
}

async function nameBlock({ provider }: NodeSession, { endpoint }: ForkedChain): Promise<void> {
  const { fork } = await provider.request({ method: 'devnet_status' })
  if (!fork) return
  const chain = { endpoint, blockNumber: Number(fork.number) }
  allow(chain, 'start')
  history.replaceState(history.state, '', pageOfFork(location, import.meta.env.BASE_URL, chain))
}
