// Loaded before a server (`--import`): puts its process in a place of its own, as a container is, and has it stop itself
// (SIGSTOP) before one of the steps that it takes in a directory. The waits of a take-over are a hundred times as short.
// TAKE_OVER is JSON: `{ directory, place, stopAt }`; `stopAt` 0 never stops.
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

/** @type {{ directory: string, place: string, stopAt: number }} */
const { directory, place, stopAt } = JSON.parse(process.env['TAKE_OVER'] ?? '{}')
/** How many times as fast the process that waits for a sign of life does so. */
const FASTER = 100

/** @typedef {(...given: unknown[]) => Promise<unknown>} Call */

let steps = 0
function step() {
  if (++steps === stopAt) process.kill(process.pid, 'SIGSTOP')
}

/** @param {unknown} given */
const isInside = (given) => typeof given === 'string' && given.startsWith(directory)

/** Open files of the directory. @type {WeakSet<object>} */
const files = new WeakSet()

/** The functions of a module or of a prototype, by name. @param {object} of */
const callsOf = (of) => /** @type {Record<string, Call>} */ (/** @type {unknown} */ (of))

const calls = callsOf(fs)
for (const name of [
  'access',
  'copyFile',
  'link',
  'lstat',
  'mkdir',
  'open',
  'readdir',
  'rename',
  'rm',
  'stat',
  'writeFile',
]) {
  const call = /** @type {Call} */ (calls[name])
  calls[name] = async (...given) => {
    if (isInside(given[0])) step()
    const answer = await call(...given)
    if (name === 'open' && isInside(given[0])) files.add(/** @type {object} */ (answer))
    return answer
  }
}

const readlink = /** @type {Call} */ (calls['readlink'])
calls['readlink'] = async (...given) => (given[0] === '/proc/self/ns/pid' ? `pid:[${place}]` : readlink(...given))

const waits = callsOf(timers)
const wait = /** @type {Call} */ (waits['setTimeout'])
waits['setTimeout'] = (ms, ...rest) => wait(Number(ms) / FASTER, ...rest)

// The prototype of one open file has the methods of all.
const handle = await fs.open(import.meta.filename, 'r')
const methods = callsOf(Object.getPrototypeOf(handle))
for (const name of ['datasync', 'read', 'stat', 'truncate', 'utimes', 'write']) {
  const call = /** @type {Call} */ (methods[name])
  methods[name] = function (...given) {
    if (files.has(this)) step()
    return call.apply(this, given)
  }
}
await handle.close()

syncBuiltinESMExports()
