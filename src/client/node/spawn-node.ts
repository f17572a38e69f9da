import { type ConnectionState, createObservable } from '#client/session/connection-state.ts'
import { type Announced, createProvider } from '#client/session/provider.ts'
import type { NodeSession } from '#client/session/session.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { sharedChainName } from '#transport/channel/channel-messages.ts'
import type { ChainRole } from '#transport/port/chain-role.ts'
import { connectPort, DisconnectedError, type PortConnection } from '#transport/port/connect-port.ts'
import { gatherPort } from '#transport/port/gather-port.ts'
import { errorText } from '#transport/port/messages.ts'
import type { WorkerLike } from '#transport/port/worker-handle.ts'

/** The session of a node that runs in this page's worker or in another tab's. */
export interface SpawnedNode extends NodeSession {
  /** The page is about to be frozen: another tab should run the chain. Calls wait until `resume`. */
  suspend(): void
  resume(): void
  /**
   * The page enters the back/forward cache. The worker ends as in a crash: the journal has everything that was
   * acknowledged, and pending calls end with code 4900. A chain in memory is suspended instead.
   */
  putAside(): void
  /** The page is shown again: a fresh worker opens the chain, or follows the tab that runs it. */
  comeBack(): void
}

/**
 * Starts the node worker.
 *
 * @param chain - Name of a chain that this origin's tabs share; `undefined` for one of this page alone.
 * @param startWorker - Starts a worker that runs `src/worker/node-worker.ts`.
 * @param unasked - The options come from the page's address alone: no new stored chain begins with them, unless they
 * are the defaults or `keepAsked` is called.
 * @param film - A chain file to show as a film; then without `chain`.
 */
export function spawnNode(
  options: NodeOptions,
  chain: string | undefined,
  startWorker: () => WorkerLike,
  unasked = false,
  film?: Uint8Array,
): SpawnedNode {
  const state = createObservable<ConnectionState>({ status: 'starting' })
  const handle = createProvider((body) => current.request(body))
  const chainName = chain === undefined ? undefined : sharedChainName(import.meta.env.BASE_URL, chain)
  let running = options
  let isUnasked = unasked
  /** The worker is being ended on purpose, so it is no crash. */
  let ending = false
  let isAside = false
  /** The chain would end with this page's worker. */
  let isInMemory = chain === undefined
  let current: PortConnection
  /** What the node that starts was asked ahead, so that its answers come with the news of it. */
  let asked: Promise<Announced | undefined> | undefined
  open()

  function open(): void {
    current = start()
    // If there was none to answer, the next one is asked when it is there.
    asked = handle.ask().catch(() => undefined)
  }

  function start(): PortConnection {
    let worker: WorkerLike
    try {
      worker = startWorker()
    } catch (error) {
      return crashedAtOnce(`the worker could not be started: ${errorText(error)}`)
    }
    let role: ChainRole | undefined
    let isConnected = false
    const connection = connectPort(gatherPort(worker), {
      boot: { options: running, chainName, ...(isUnasked && { unasked: true }), ...(film && { film }) },
      onNotification: handle.receive,
      onBooted() {
        // A shared chain's node may still be starting, or speak another protocol; its role will say.
        if (chainName === undefined) void announce()
      },
      onMoved: takeRole,
      onDisconnected(error) {
        worker.onerror = null
        worker.terminate()
        if (!ending) state.set({ status: 'crashed', message: error.message, failure: error.failure })
        handle.announceDisconnect(error.message)
      },
    })
    worker.onerror = (event: { readonly message?: string }) =>
      connection.fail(new DisconnectedError(event.message || 'the worker could not be loaded'))

    function takeRole(taken: ChainRole): void {
      role = taken
      isInMemory = taken.kind === 'leads' && taken.storage.kind === 'memory'
      if (taken.kind === 'blocked') state.set({ status: 'blocked', message: taken.message })
      else if (taken.kind !== 'waits') void announce()
      else if (state.get().status === 'ready') state.set({ status: 'ready', role: taken })
    }

    async function announce(): Promise<void> {
      const announced = role
      const move = isConnected
      isConnected = true
      const ahead = asked
      asked = undefined
      try {
        await (move ? handle.announceMove() : handle.announceConnect(await ahead))
      } catch (error) {
        // If the role changed meanwhile, the node that refused was replaced.
        if (role === announced) connection.fail(new DisconnectedError(`the node does not answer: ${errorText(error)}`))
        return
      }
      if (current !== connection || role !== announced) return
      state.set({ status: 'ready', ...(announced && announced.kind !== 'blocked' && { role: announced }) })
    }
    return connection
  }

  function crashedAtOnce(message: string): PortConnection {
    state.set({ status: 'crashed', message })
    const dead = connectPort({ postMessage() {}, onmessage: null, onmessageerror: null }, { onNotification() {} })
    dead.fail(new DisconnectedError(message))
    return dead
  }

  function end(reason: string): void {
    ending = true
    current.fail(new DisconnectedError(reason))
    ending = false
  }

  function restart(next: NodeOptions): void {
    isAside = false
    end('the node was restarted')
    running = next
    state.set({ status: 'starting' })
    open()
  }

  return {
    provider: handle.provider,
    state,
    chain,
    options: () => running,
    restart: (next = running) => restart(next),
    keepAsked() {
      isUnasked = false
      if (state.get().status === 'ready') current.keep()
      else restart(running)
    },
    suspend: () => current.suspend(),
    resume: () => current.resume(),
    putAside() {
      if (isInMemory) return current.suspend()
      if (state.get().status === 'crashed') return
      isAside = true
      end('the browser has put this page aside')
      if (state.get().status === 'ready') state.set({ status: 'ready', role: { kind: 'waits' } })
    },
    comeBack() {
      if (!isAside) return current.resume()
      isAside = false
      open()
    },
    close: () => current.fail(new DisconnectedError('the node was closed')),
  }
}
