import { expect, test } from 'vitest'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { PortEvent, PortLike } from './messages.ts'
import { wakefulPort } from './wakeful-port.ts'

/** A thread that answers calls, on a clock that advances while it stays awake. */
function thread(answersInMs = 0.1) {
  const clock = new FakeClock()
  let yields = 0
  const yielding = {
    now: () => clock.now(),
    async yield() {
      yields += 1
      clock.jump(0.05)
    },
  }
  const posted: unknown[] = []
  const port: PortLike = { postMessage: (message) => posted.push(message), onmessage: null, onmessageerror: null }
  const wakeful = wakefulPort(port, yielding)
  wakeful.onmessage = ({ data }: PortEvent<string>) => {
    clock.jump(answersInMs)
    wakeful.postMessage(`${data} answered`)
  }
  return {
    clock,
    posted,
    /** Sends a call `afterMs` from now. Returns how often the thread yielded before it slept. */
    async ask(data: string, afterMs: number): Promise<number> {
      clock.jump(afterMs)
      yields = 0
      port.onmessage?.({ data } as never)
      await new Promise(setImmediate)
      return yields
    },
  }
}

test('after a first call the thread goes to sleep at once', async () => {
  expect(await thread().ask('first', 0)).toBe(0)
})

test('after a quick second call it stays awake for the next one, but not for long', async () => {
  const { ask, posted } = thread()
  await ask('first', 0)
  const yields = await ask('again', 0.2)
  expect(yields).toBeGreaterThan(1)
  expect(yields).toBeLessThan(10)
  expect(await ask('later', 200)).toBe(0)
  expect(posted).toEqual(['first answered', 'again answered', 'later answered'])
})

test('if answering takes longer than waking up, it goes to sleep', async () => {
  const { ask } = thread(5)
  await ask('first', 0)
  expect(await ask('again', 0.2)).toBe(0)
})

test('a call that arrives while it is awake is handled, and does not start a second wait', async () => {
  const { ask, clock, posted } = thread()
  await ask('first', 0)
  const both = Promise.all([ask('second', 0.1), ask('third', 0.1)])
  expect(Math.max(...(await both))).toBeLessThan(10)
  expect(posted).toHaveLength(3)
  clock.jump(1)
  expect(await ask('fourth', 0)).toBe(0)
})
