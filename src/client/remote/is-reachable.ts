/**
 * Whether anything answers at an address. `fetch` fails the same way for a server that is down and for one that does not
 * let this origin read (CORS); without CORS nothing can be read, but it is enough to know that something answered.
 */
export async function isReachable(url: string, signal: AbortSignal, send: typeof fetch): Promise<boolean> {
  try {
    await send(url, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer', signal })
    return true
  } catch {
    // The caller has the reason of its own request.
    return false
  }
}
