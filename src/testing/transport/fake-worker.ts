import type { WorkerLike } from '#transport/port/worker-handle.ts'

/** A worker that is answered by the test. The messages' types keep its tests to the worker's protocol. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a test's answers are checked by it
export class FakeWorker<To, From> implements WorkerLike {
  readonly received: To[] = []
  /** With the last message. */
  transferred: readonly object[] = []
  ended = false
  onmessage: WorkerLike['onmessage'] = null
  onmessageerror: WorkerLike['onmessageerror'] = null
  onerror: WorkerLike['onerror'] = null

  postMessage(message: unknown, transfer: readonly object[] = []): void {
    this.received.push(message as To)
    this.transferred = transfer
  }

  terminate(): void {
    this.ended = true
  }

  readonly say = (message: From): void => {
    this.onmessage?.({ data: message } as never)
  }

  fail(message: string): void {
    this.onerror?.({ message, preventDefault() {} } as never)
  }
}
