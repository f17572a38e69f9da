// Traces without an end, six at once of each kind, of a server whose heap is small: it has to refuse or cut them, and live.
import { rpc } from '../server.mjs'

const CONTRACT = `0x${'c0'.repeat(20)}`
/** JUMPDEST PUSH0 JUMP */
const LOOP = '0x5b5f56'
/** A loop that makes a static call of an account without code, which takes 1,000 bytes. */
const CALLS = '0x5b5f5f6103e85f60ee61fffffa505f56'
const AT_ONCE = 6

/** What is asked, by method; each with the code that makes its answer long. */
const KINDS = [
  { code: LOOP, method: 'debug_traceCall', more: ['latest', { timeout: '60s' }] },
  { code: CALLS, method: 'debug_traceCall', more: ['latest', { timeout: '60s', tracer: 'callTracer' }] },
  { code: CALLS, method: 'debug_traceCall', more: ['latest', { timeout: '60s', tracer: 'flatCallTracer' }] },
  { code: LOOP, method: 'devnet_traceExecution', more: ['latest'] },
]

/**
 * Asks a server for each kind. Whatever it answers is right while it lives.
 *
 * @param {string} url
 * @throws {Error} If it does not answer any more.
 */
export async function traceWithoutEnd(url) {
  for (const { code, method, more } of KINDS) {
    await rpc(url, 'anvil_setCode', [CONTRACT, code])
    const call = { to: CONTRACT, gas: '0x3b9aca00' }
    const params = method.startsWith('devnet') ? [{ call, block: 'latest' }] : [call, ...more]
    await Promise.allSettled(Array.from({ length: AT_ONCE }, () => rpc(url, method, params)))
    await rpc(url, 'eth_chainId').catch((cause) => {
      throw new Error(`a server with a small heap did not outlive ${AT_ONCE} times ${method}`, { cause })
    })
  }
}
