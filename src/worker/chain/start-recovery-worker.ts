import { type HelperEvents, type HelperThread, helpersOn } from '#node/crypto/recovery-helpers.ts'
// oxlint-disable-next-line import/default -- Vite makes the module that has it
import recoveryWorkerUrl from '#worker/recovery-worker.ts?worker&url'

/** The part of Trusted Types that is used here; not every browser has them, and TypeScript's types do not. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): unknown }
}

/** The one that the Content-Security-Policy allows a realm; here it makes the address of one script. */
const policy = (self as { readonly trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('blinknet', {
  createScriptURL(url) {
    if (url !== recoveryWorkerUrl) throw new TypeError(`${url} is not the script of a helper`)
    return url
  },
})

/** Workers that help the node's own; none where the browser does not say how many cores there are. */
export const MAX_RECOVERY_WORKERS = helpersOn(navigator.hardwareConcurrency || 1)

/** Starts a worker that recovers senders. @throws {DOMException} Where the browser refuses it. */
export function startRecoveryWorker(events: HelperEvents): HelperThread {
  const url = (policy?.createScriptURL(recoveryWorkerUrl) as string | undefined) ?? recoveryWorkerUrl
  const worker = new Worker(url, { type: 'module', name: 'blinknet-recovery' })
  worker.onmessage = ({ data }: MessageEvent<unknown>) => events.message(data)
  worker.onmessageerror = () => events.failed('an answer could not be read')
  worker.onerror = (event) => {
    // Else it would be an error of the node as well.
    event.preventDefault()
    events.failed(event.message)
  }
  return { post: (request) => worker.postMessage(request), stop: () => worker.terminate() }
}
