import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { helpersOn, type RecoveryHelpersDeps } from '#node/crypto/recovery-helpers.ts'

/** How a node is helped to recover senders: by threads. @param script - Theirs. */
export function recoveryThreads(script: URL): Pick<RecoveryHelpersDeps, 'most' | 'start'> {
  return {
    most: helpersOn(availableParallelism()),
    start(events) {
      const thread = new Worker(script)
      // It keeps no process alive that has nothing else to do.
      thread.unref()
      thread.on('message', (data) => events.message(data))
      thread.on('error', (error) => events.failed(error))
      return { post: (request) => thread.postMessage(request), stop: () => void thread.terminate() }
    },
  }
}
