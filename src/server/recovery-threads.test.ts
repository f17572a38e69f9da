import { EventEmitter, once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import type { HelperThread } from '#node/crypto/recovery-helpers.ts'
import { recoveryThreads } from './recovery-threads.ts'

/** A helper that says how many bytes it was sent; one byte is too much for it. */
const SCRIPT = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ length }) => {
    if (length === 1) throw new Error('planted')
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
  const { start: startThread } = recoveryThreads(new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`))
  const thread = startThread({
    message: (data) => events.emit('message', data),
    failed: (reason) => events.emit('failed', reason),
  })
  threads.push(thread)
  return { thread, next: async (what: 'message' | 'failed') => (await once(events, what))[0] as unknown }
}

test('a thread says that it is ready, and answers', async () => {
  const { thread, next } = start()
  expect(await next('message')).toBe('ready')
  thread.post(new Uint8Array(97))
  expect(await next('message')).toBe(97)
})

test('a thread that throws has failed', async () => {
  const { thread, next } = start()
  await next('message')
  thread.post(new Uint8Array(1))
  expect(await next('failed')).toMatchObject({ message: 'planted' })
})
