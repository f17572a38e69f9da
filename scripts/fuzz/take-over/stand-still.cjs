// Loaded before a server (`--require`): puts its process in a place of its own, as a container is, and has it stop itself
// (SIGSTOP) before one of the steps that it takes in a directory. The waits of a take-over are a hundred times as short.
// TAKE_OVER is JSON: `{ directory, place, stopAt }`; `stopAt` 0 never stops.
const fs = require('node:fs/promises')
const timers = require('node:timers/promises')
const { syncBuiltinESMExports } = require('node:module')

/** @type {{ directory: string, place: string, stopAt: number }} */
const { directory, place, stopAt } = JSON.parse(process.env['TAKE_OVER'] ?? '{}')
/** How many times as fast the process that waits for a sign of life does so. */
const FASTER = 100

let steps = 0
function step() {
  if (++steps === stopAt) process.kill(process.pid, 'SIGSTOP')
}

/** @param {unknown} given */
const isInside = (given) => typeof given === 'string' && given.startsWith(directory)

/** Open files of the directory. @type {WeakSet<object>} */
const files = new WeakSet()

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
  const call = fs[name]
  fs[name] = async (...given) => {
    if (isInside(given[0])) step()
    const answer = await call(...given)
    if (name === 'open' && isInside(given[0])) files.add(answer)
    return answer
  }
}

const { readlink } = fs
fs.readlink = async (...given) => (given[0] === '/proc/self/ns/pid' ? `pid:[${place}]` : readlink(...given))

const { setTimeout: wait } = timers
timers.setTimeout = (ms, ...rest) => wait(ms / FASTER, ...rest)

/** Its prototype has the methods of all open files. */
fs.open(__filename, 'r').then(async (handle) => {
  const methods = Object.getPrototypeOf(handle)
  for (const name of ['datasync', 'read', 'stat', 'truncate', 'utimes', 'write']) {
    const call = methods[name]
    methods[name] = function (...given) {
      if (files.has(this)) step()
      return call.apply(this, given)
    }
  }
  await handle.close()
})

syncBuiltinESMExports()
