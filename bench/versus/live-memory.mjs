import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { WebSocket } from 'ws'

/** Arguments of Node.js for a process that {@link liveMb} looks into. @param {number} port */
export const inspectedAt = (port) => [`--inspect=127.0.0.1:${port}`, '--inspect-publish-uid=http']

/** Live memory in MB of a Node.js process with an inspector, after garbage collection. @param {number} port */
export async function liveMb(port) {
  const [target] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await once(socket, 'open')
  const ask = async (/** @type {number} */ id, /** @type {string} */ method, params = {}) => {
    socket.send(JSON.stringify({ id, method, params }))
    for (;;) {
      const [message] = await once(socket, 'message')
      const answer = JSON.parse(String(message))
      if (answer.id === id) return answer.result
    }
  }
  await ask(1, 'HeapProfiler.collectGarbage')
  // `Runtime.getHeapUsage` leaves out memory outside the heap in Node.js 20.
  const { result } = await ask(2, 'Runtime.evaluate', { expression: 'process.memoryUsage()', returnByValue: true })
  socket.close()
  const live = (result.value.heapUsed + result.value.external) / 2 ** 20
  if (!Number.isFinite(live)) throw new Error('the process does not say what it holds')
  return live
}

/** Most memory in MB that a process has had, garbage included; `undefined` where the system does not say. @param {number | undefined} pid */
export function peakMb(pid) {
  if (process.platform !== 'linux') return undefined
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return peak ? Number(peak[1]) / 1024 : undefined
}
