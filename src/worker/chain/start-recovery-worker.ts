import { type HelperEvents, type HelperThread, helpersOn } from '#node/crypto/recovery-helpers.ts'
import { handleOf } from '#transport/port/worker-handle.ts'
// oxlint-disable-next-line import/default -- Vite makes the module that has it
import recoveryWorkerUrl from '#worker/recovery-worker.ts?worker&url'

/** The part of Trusted Types used here. Not every browser has them, and TypeScript has no types for them. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): unknown }
}

/** The only policy that the Content-Security-Policy allows in this realm; it approves the address of one script. */
const policy = (self as { readonly trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('blinknet', {
  createScriptURL(url) {
    if (url !== recoveryWorkerUrl) throw new TypeError(`${url} is not a helper’s script`)
    return url
  },
})

/** How many helper workers the node may use; none if the browser does not say how many cores there are. */
export const MAX_RECOVERY_WORKERS = helpersOn(navigator.hardwareConcurrency || 1)

/**
 * Starts a worker that recovers senders.
 *
 * @throws {DOMException} If the browser refuses it.
 */
export function startRecoveryWorker(events: HelperEvents): HelperThread {
  const url = (policy?.createScriptURL(recoveryWorkerUrl) as string | undefined) ?? recoveryWorkerUrl
  return handleOf(new Worker(url, { type: 'module', name: 'blinknet-recovery' }), events)
}
