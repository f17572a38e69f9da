import type { RemoteAnswers } from '#client/remote/remote-answers.ts'
import { type ForkBoot, membersOf, type PortEvent, type PortLike } from '#transport/port/messages.ts'
import type { WorkerLike } from '#transport/port/worker-handle.ts'

type OnMessage = (event: PortEvent<unknown>) => void

/** What a fork's worker is told when it boots. */
export interface ForkedBoot {
  readonly fork: ForkBoot
  /** Transferred. */
  readonly port: PortLike
}

/**
 * A worker whose node continues another chain: it boots with that, and its answers, part of which are the other chain's,
 * are checked before the page reads them. The page's own code for workers, which loads first, knows nothing of it.
 *
 * @param mayBoot - Until it resolves, the worker does not boot: its tab has no part in the fork that other tabs may run.
 */
export function forkedWorker(
  worker: WorkerLike,
  boot: ForkedBoot,
  answers: RemoteAnswers,
  mayBoot: Promise<void>,
): WorkerLike {
  /** Bodies of the calls that are not answered yet. */
  const bodies = new Map<unknown, string>()

  function notice(message: unknown): void {
    const { kind, id, body } = membersOf(message)
    if (kind === 'rpc' && typeof body === 'string') bodies.set(id, body)
  }

  function checked(message: unknown): unknown {
    const { kind, id, body } = membersOf(message)
    const asked = kind === 'rpc' ? bodies.get(id) : undefined
    if (asked === undefined) return message
    bodies.delete(id)
    return { kind, id, body: answers.check(asked, body as string | undefined) }
  }

  return {
    postMessage(message, transfer) {
      // Several messages come as a list.
      if (Array.isArray(message)) message.forEach(notice)
      else notice(message)
      if (membersOf(message)['kind'] !== 'boot') worker.postMessage(message, transfer)
      else void mayBoot.then(() => worker.postMessage({ ...membersOf(message), ...boot }, [boot.port] as never))
    },
    set onmessage(handler: ((event: never) => void) | null) {
      const deliver = handler as OnMessage | null
      const receive: OnMessage | null =
        deliver && (({ data }) => deliver({ data: Array.isArray(data) ? data.map(checked) : checked(data) }))
      worker.onmessage = receive
    },
    set onmessageerror(handler: ((event: never) => void) | null) {
      worker.onmessageerror = handler
    },
    set onerror(handler: ((event: never) => void) | null) {
      worker.onerror = handler
    },
    terminate: () => worker.terminate(),
  }
}
