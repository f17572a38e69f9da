import type { NodeOptions } from '#rpc-types/node-options.ts'
import { connectPort, DisconnectedError, type PortConnection } from '#transport/connect-port.ts'
import { errorText, type PortLike } from '#transport/messages.ts'
import { type ConnectionState, createObservable, type Observable } from './connection-state.ts'
import { type BlinknetProvider, createProvider } from './provider.ts'

/** The part of `Worker` that is used here. */
export interface WorkerLike extends PortLike {
  onerror: ((event: never) => void) | null
  terminate(): void
}

/** A node that runs in a worker of this page, and its restarts. */
export interface NodeSession {
  /** Stays the same over restarts. Calls made while the node starts wait for it. */
  readonly provider: BlinknetProvider
  readonly state: Observable<ConnectionState>
  /** What the running node was started with. */
  readonly options: () => NodeOptions
  /** Ends the node, if one still runs, and starts a fresh one; by default with the same options. */
  restart(options?: NodeOptions): void
  /** Ends the node for good: pending and later calls end with code 4900. */
  close(): void
}

/**
 * Starts the node worker.
 *
 * @param startWorker - For tests: what to start in place of it.
 */
export function spawnNode(options: NodeOptions, startWorker: () => WorkerLike = startNodeWorker): NodeSession {
  const state = createObservable<ConnectionState>({ status: 'starting' })
  const handle = createProvider((body) => current.request(body))
  let running = options
  let restarting = false
  let current: PortConnection = start()

  function start(): PortConnection {
    let worker: WorkerLike
    try {
      worker = startWorker()
    } catch (error) {
      return crashedAtOnce(`the worker could not be started: ${errorText(error)}`)
    }
    const connection = connectPort(worker, {
      boot: running,
      onNotification: handle.receive,
      onBooted: () => void announce(),
      onDisconnected(error) {
        worker.onerror = null
        worker.terminate()
        if (!restarting) state.set({ status: 'crashed', message: error.message })
        handle.announceDisconnect(error.message)
      },
    })
    worker.onerror = (event: { readonly message?: string }) =>
      connection.fail(new DisconnectedError(event.message || 'the worker could not be loaded'))

    async function announce(): Promise<void> {
      try {
        await handle.announceConnect()
        if (current === connection) state.set({ status: 'ready' })
      } catch (error) {
        connection.fail(new DisconnectedError(`the node does not answer: ${errorText(error)}`))
      }
    }
    return connection
  }

  function crashedAtOnce(message: string): PortConnection {
    state.set({ status: 'crashed', message })
    const dead = connectPort({ postMessage() {}, onmessage: null, onmessageerror: null }, { onNotification() {} })
    dead.fail(new DisconnectedError(message))
    return dead
  }

  return {
    provider: handle.provider,
    state,
    options: () => running,
    restart(next = running) {
      restarting = true
      current.fail(new DisconnectedError('the node was restarted'))
      restarting = false
      running = next
      state.set({ status: 'starting' })
      current = start()
    },
    close: () => current.fail(new DisconnectedError('the node was closed')),
  }
}

function startNodeWorker(): Worker {
  return new Worker(new URL('../worker/node-worker.ts', import.meta.url), { type: 'module', name: 'blinknet-node' })
}
