import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { RecoveryHelpersDeps } from '#node/crypto/recovery-helpers.ts'

/** Threads beyond this have nothing to do: recovering takes about as long as the rest. */
const MOST_THREADS = 2

/** How a node is helped to recover senders: by threads, one for each core beyond its own. @param script - Theirs. */
export function recoveryThreads(script: URL): Pick<RecoveryHelpersDeps, 'most' | 'start'> {
  return {
    most: Math.min(MOST_THREADS, availableParallelism() - 1),
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
