import { trustedScriptUrl } from '#client/trusted-script-url.ts'
import type { Hex } from '#primitives/hex.ts'
import { handleOf, type WorkerLike } from '#transport/port/worker-handle.ts'
import type { FromSigner, SigningJob, ToSigner } from '#transport/signing-messages.ts'
// oxlint-disable-next-line import/default -- Vite makes the module that has it
import signingWorkerUrl from '#worker/signing-worker.ts?worker&url'

/** Signs many transactions off the page's thread. */
export interface Signer {
  /**
   * Resolves with the raw transactions in the order of the jobs.
   *
   * @throws {Error} If one cannot be signed, or the signer is closed.
   */
  sign(jobs: readonly SigningJob[]): Promise<readonly Hex[]>
  /** Ends it for good. */
  close(): void
}

interface Waiting {
  readonly resolve: (raws: readonly Hex[]) => void
  readonly reject: (error: Error) => void
}

/** @param startWorker - Replaces the worker in tests. */
export function spawnSigner(startWorker: () => WorkerLike = startSigningWorker): Signer {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let failure: Error | undefined
  let announceReady = () => {}
  const ready = new Promise<void>((resolve) => {
    announceReady = resolve
  })

  const worker = handleOf<ToSigner, FromSigner>(startWorker(), {
    message: receive,
    failed: (reason) => end(new Error(`the signing worker failed: ${reason}`)),
  })

  function receive(data: FromSigner): void {
    if (data.kind === 'ready') return announceReady()
    const call = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.kind === 'signed') call?.resolve(data.raws)
    else call?.reject(new Error(data.message))
  }

  function end(error: Error): void {
    failure ??= error
    worker.stop()
    for (const { reject } of waiting.values()) reject(failure)
    waiting.clear()
    announceReady()
  }

  return {
    async sign(jobs) {
      await ready
      if (failure) throw failure
      const id = ++lastId
      return new Promise<readonly Hex[]>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        worker.post({ id, jobs })
      })
    },
    close: () => end(new Error('the signer was closed')),
  }
}

function startSigningWorker(): WorkerLike {
  return new Worker(trustedScriptUrl(signingWorkerUrl), { type: 'module', name: 'blinknet-signer' })
}
