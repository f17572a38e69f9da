import { trustedScriptUrl } from '#client/trusted-script-url.ts'
// oxlint-disable-next-line import/default -- Vite makes the module that has it
import nodeWorkerUrl from '#worker/node-worker.ts?worker&url'

/** A worker that was started before anybody listens to it, and its messages so far. */
interface EarlyWorker {
  readonly worker: Worker
  readonly said: (MessageEvent<unknown> | ErrorEvent)[]
}

let early: EarlyWorker | undefined

/** Starts a worker that can run a node or manage stored chains. */
export function startNodeWorker(): Worker {
  return new Worker(trustedScriptUrl(nodeWorkerUrl), { type: 'module', name: 'blinknet-node' })
}

/** Starts the worker early; the page takes it once its own scripts are loaded. */
export function startNodeWorkerEarly(): void {
  const worker = startNodeWorker()
  const said: EarlyWorker['said'] = []
  worker.onmessage = (event: MessageEvent<unknown>) => said.push(event)
  worker.onerror = (event) => said.push(event)
  early = { worker, said }
}

/** The early worker, the first time; otherwise a fresh one. */
export function takeNodeWorker(): Worker {
  if (!early) return startNodeWorker()
  const { worker, said } = early
  early = undefined
  worker.onmessage = null
  worker.onerror = null
  // After this task, in which the new owner adds its listeners.
  queueMicrotask(() => {
    for (const event of said) worker.dispatchEvent(again(event))
  })
  return worker
}

/** A copy of an event, since an event can only be dispatched once. */
function again(event: MessageEvent<unknown> | ErrorEvent): Event {
  if (event instanceof ErrorEvent) return new ErrorEvent(event.type, { message: event.message })
  return new MessageEvent(event.type, { data: event.data })
}
