import type { PortEvent, PortLike } from './messages.ts'

/** The part of `Worker` used here. */
export interface WorkerLike extends PortLike {
  onerror: ((event: never) => void) | null
  terminate(): void
}

/** What a handle tells of its worker. */
export interface WorkerEvents<From> {
  message(data: From): void
  /** The worker has failed or could not be loaded. It is left as it is: {@link WorkerHandle.stop} ends it. */
  failed(reason: string): void
}

/** A worker that was started for one purpose. */
export interface WorkerHandle<To> {
  post(message: To, transfer?: readonly object[]): void
  /** Ends the worker. Nothing is told of it any more. */
  stop(): void
}

/**
 * Takes the messages and errors of a worker; its errors then do not count as errors of whoever started it.
 *
 * @param port - Where messages go through, if not straight to the worker.
 */
export function handleOf<To, From>(
  worker: WorkerLike,
  events: WorkerEvents<From>,
  port: PortLike = worker,
): WorkerHandle<To> {
  port.onmessage = ({ data }: PortEvent<From>) => events.message(data)
  port.onmessageerror = () => events.failed('a message from the worker could not be read')
  worker.onerror = (event: { readonly message?: string; preventDefault(): void }) => {
    event.preventDefault()
    events.failed(event.message || 'the worker could not be loaded')
  }
  return {
    post: (message, transfer = []) => port.postMessage(message, ...(transfer.length > 0 ? [transfer as never] : [])),
    stop() {
      port.onmessage = null
      port.onmessageerror = null
      worker.onerror = null
      worker.terminate()
    },
  }
}
