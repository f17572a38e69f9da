/**
 * Runs work with a signal that aborts after a time, or when another signal does; then it ends at once, whatever the work
 * does. `AbortSignal.timeout` is not enough: combined by `AbortSignal.any`, Node.js 20 may collect it as garbage before its
 * time, and it never aborts.
 *
 * @throws {DOMException} `TimeoutError` after the time, the reason of `closing` when that aborts.
 * @throws As the work does.
 */
export async function abortWithin<T>(
  ms: number,
  closing: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
  const timer = setTimeout(() => controller.abort(new DOMException('The time is up.', 'TimeoutError')), ms)
  const close = () => controller.abort(closing.reason)
  closing.addEventListener('abort', close)
  if (closing.aborted) close()
  try {
    return await Promise.race([work(signal), aborted])
  } finally {
    clearTimeout(timer)
    closing.removeEventListener('abort', close)
  }
}
