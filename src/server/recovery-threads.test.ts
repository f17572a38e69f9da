import { EventEmitter, once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import type { HelperThread } from '#node/crypto/recovery-helpers.ts'
import { recoveryThreads } from './recovery-threads.ts'

/** A helper that answers with the number of bytes it received. One byte makes it throw, two make it exit. */
const SCRIPT = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ length }) => {
    if (length === 1) throw new Error('planted')
    if (length === 2) process.exit(7)
    parentPort.postMessage(length)
  })
  parentPort.postMessage('ready')
`

const threads: HelperThread[] = []
afterEach(() => {
  for (const thread of threads.splice(0)) thread.stop()
})

function start() {
  const events = new EventEmitter()
  const failures: unknown[] = []
  const started = once(process, 'worker') as Promise<[Worker]>
  const ended = started.then(([worker]) => new Promise((resolve) => worker.once('exit', resolve)))
  const { start: startThread } = recoveryThreads(new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`))
  const thread = startThread({
    message: (data) => events.emit('message', data),
    failed(reason) {
      failures.push(reason)
      events.emit('failed', reason)
    },
  })
  threads.push(thread)
  return {
    thread,
    failures,
    /** Node.js's own class for it. */
    worker: async () => (await started)[0],
    ended,
    next: async (what: 'message' | 'failed') => (await once(events, what))[0] as unknown,
  }
}

test('a thread reports that it is ready, and answers', async () => {
  const { thread, next } = start()
  expect(await next('message')).toBe('ready')
  thread.post(new Uint8Array(97))
  expect(await next('message')).toBe(97)
})

test('a thread that throws fails once', async () => {
  const { thread, next, ended, failures } = start()
  await next('message')
  thread.post(new Uint8Array(1))
  expect(await next('failed')).toMatchObject({ message: 'planted' })
  await ended
  expect(failures).toHaveLength(1)
})

test('a thread that exits on its own counts as failed', async () => {
  const { thread, next } = start()
  await next('message')
  thread.post(new Uint8Array(2))
  expect(await next('failed')).toMatchObject({ message: 'the thread has ended with code 7' })
})

test('a thread with an unreadable answer counts as failed', async () => {
  const { next, worker } = start()
  const thread = await worker()
  await next('message')
  const failed = next('failed')
  thread.emit('messageerror', new Error('not to be read'))
  expect(await failed).toMatchObject({ message: 'not to be read' })
})

test('a stopped thread does not count as failed', async () => {
  const { thread, ended, next, failures } = start()
  await next('message')
  thread.stop()
  await ended
  expect(failures).toEqual([])
})
