import { trustedScriptUrl } from '#client/trusted-script-url.ts'
// oxlint-disable-next-line import/default -- Vite makes the module that has it
import nodeWorkerUrl from '#worker/node-worker.ts?worker&url'

/** A worker that was started before there was anybody to listen to it, and what it has said so far. */
interface EarlyWorker {
  readonly worker: Worker
  readonly said: (MessageEvent<unknown> | ErrorEvent)[]
}

let early: EarlyWorker | undefined

/** A worker that runs a node, or looks after stored chains, when it is told to. */
export function startNodeWorker(): Worker {
  return new Worker(trustedScriptUrl(nodeWorkerUrl), { type: 'module', name: 'blinknet-node' })
}

/** Starts the worker that the page will ask for once its own scripts are there. */
export function startNodeWorkerEarly(): void {
  const worker = startNodeWorker()
  const said: EarlyWorker['said'] = []
  worker.onmessage = (event: MessageEvent<unknown>) => said.push(event)
  worker.onerror = (event) => said.push(event)
  early = { worker, said }
}

/** The worker that was started early, once; after that, and where there is none, a fresh one. */
export function takeNodeWorker(): Worker {
  if (!early) return startNodeWorker()
  const { worker, said } = early
  early = undefined
  worker.onmessage = null
  worker.onerror = null
  // After this task, in which the new owner begins to listen.
  queueMicrotask(() => {
    for (const event of said) worker.dispatchEvent(again(event))
  })
  return worker
}

/** An event can be dispatched once only. */
function again(event: MessageEvent<unknown> | ErrorEvent): Event {
  if (event instanceof ErrorEvent) return new ErrorEvent(event.type, { message: event.message })
  return new MessageEvent(event.type, { data: event.data })
}
