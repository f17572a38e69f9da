import type { Signed } from '#engine/key-recovery.ts'
import { keyRecoveryFor } from '#engine/recover-keys.ts'
import type { Address } from '#primitives/hex.ts'
import { BatchRecovery } from './batch-recovery.ts'
import { packSignatures, unpackSignatures } from './packed-signatures.ts'

/** Most groups queued at a helper, so that it never waits for the next one. */
export const MAX_GROUPS = 6

/** Helpers beyond this have nothing to do: recovering takes about as long as the rest. */
const MAX_HELPERS = 2

/** Number of helpers for a machine: one for each core beyond the node's own. @param cores - At least 1. */
export function helpersOn(cores: number): number {
  return Math.min(MAX_HELPERS, cores - 1)
}

/** A thread beside the node's own, as its host lends it. It says {@link READY}, then answers by {@link recoveryAnswers}. */
export interface HelperThread {
  post(message: Uint8Array): void
  stop(): void
}

/** Events of a thread, which its host reports. */
export interface HelperEvents {
  message(data: unknown): void
  /** The thread has failed, or could not be started. */
  failed(reason: unknown): void
}

export interface RecoveryHelpersDeps {
  /** As many threads as the machine has to spare: see {@link helpersOn}. */
  readonly most: number
  readonly start: (events: HelperEvents) => HelperThread
  readonly log: (message: string, details?: unknown) => void
}

/** The first message of a helper. */
export const READY = 'ready'

/** A helper's answer to one message. */
export function recoveryAnswers(): (message: Uint8Array) => (Address | undefined)[] {
  const recovery = new BatchRecovery()
  // Made now, before the thread says that it is ready.
  keyRecoveryFor(2)
  return (message) => {
    const { signatures, hints } = unpackSignatures(message)
    return recovery.recover(signatures, hints)
  }
}

type Senders = readonly (Address | undefined)[]

interface Group {
  readonly resolve: (senders: Senders) => void
  readonly reject: (reason: unknown) => void
}

interface Helper {
  readonly thread: HelperThread
  ready: boolean
  /** Questions under way at the helper; answers come in the same order. */
  readonly groups: Group[]
}

/** Threads that recover senders while the node's own does something else. They are started when they are first needed. */
export class RecoveryHelpers {
  readonly #deps: RecoveryHelpersDeps
  #most: number
  #helpers: Helper[] = []

  constructor(deps: RecoveryHelpersDeps) {
    this.#deps = deps
    this.#most = deps.most
  }

  /**
   * Has a helper recover addresses; parameters as for {@link BatchRecovery.recover}.
   *
   * @returns `undefined` where none has room now. Rejects where the helper fails: then they are to be recovered here.
   */
  recover(signatures: readonly Signed[], hints: readonly number[]): Promise<Senders> | undefined {
    const free = this.#helpers.find(({ ready, groups }) => ready && groups.length < MAX_GROUPS)
    if (free === undefined) {
      this.#startOne()
      return undefined
    }
    return new Promise((resolve, reject) => {
      free.groups.push({ resolve, reject })
      free.thread.post(packSignatures(signatures, hints))
    })
  }

  /** Stops the threads and rejects unanswered requests. */
  close(): void {
    this.#most = 0
    const helpers = this.#helpers
    this.#helpers = []
    for (const { thread, groups } of helpers) {
      thread.stop()
      for (const { reject } of groups) reject(new Error('the helper was stopped'))
    }
  }

  #startOne(): void {
    const starting = this.#helpers.some(({ ready }) => !ready)
    if (starting || this.#helpers.length >= this.#most) return
    const failed = (reason: unknown) => {
      // Whatever its reason is, it would be the same for the next one.
      this.#deps.log('senders are recovered without help: a thread has failed', reason)
      this.close()
    }
    try {
      const groups: Group[] = []
      const helper: Helper = {
        ready: false,
        groups,
        thread: this.#deps.start({
          message(data) {
            if (data === READY) helper.ready = true
            else groups.shift()?.resolve(data as Senders)
          },
          failed,
        }),
      }
      this.#helpers.push(helper)
    } catch (error) {
      failed(error)
    }
  }
}
