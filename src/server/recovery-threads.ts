import { availableParallelism } from 'node:os'
import { helpersOn, type RecoveryHelpersDeps } from '#node/crypto/recovery-helpers.ts'

/**
 * Threads that recover senders for a node.
 *
 * @param script - The threads' script.
 * @param threads - How many there may be, the node's own among them; 0: as the machine has cores.
 */
export function recoveryThreads(script: URL, threads = 0): Pick<RecoveryHelpersDeps, 'most' | 'start'> {
  return {
    most: helpersOn(threads === 0 ? availableParallelism() : threads),
    start(events) {
      // Not imported: a server starts without it.
      const { Worker } = process.getBuiltinModule('node:worker_threads')
      const thread = new Worker(script)
      // A helper does not keep the process alive.
      thread.unref()
      let isOver = false
      const fail = (reason: unknown) => {
        if (isOver) return
        isOver = true
        events.failed(reason)
      }
      thread.on('message', (data) => events.message(data))
      thread.on('messageerror', fail)
      thread.on('error', fail)
      thread.on('exit', (code) => fail(new Error(`the thread has ended with code ${code}`)))
      return {
        post: (request) => thread.postMessage(request),
        stop() {
          isOver = true
          void thread.terminate()
        },
      }
    },
  }
}
