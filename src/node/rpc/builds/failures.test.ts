import { expect, test } from 'vitest'
import { Emitter } from '#primitives/emitter.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { type CallContext, CallFailedError, type CallRequest } from '../../evm/calls/call.ts'
import type { ChainEvents } from '../../sequencer/events.ts'
import { Failures } from './failures.ts'

type Deps = ConstructorParameters<typeof Failures>[0]

test('a call that fails while others are explained is answered after half a second, without a stack trace', async () => {
  const clock = new FakeClock()
  const logged: string[] = []
  const failures = new Failures({
    clock,
    events: new Emitter<ChainEvents>(),
    builds: { isEmpty: false } as Deps['builds'],
    log: (_level: string, message: string) => void logged.push(message),
  } as unknown as Deps)
  const call = (checkpoint: () => Promise<void>) => {
    const failed = new CallFailedError('reverted', 'execution reverted', new Uint8Array([7]))
    const asked = failures
      .ofCall('eth_call', {} as CallRequest, {} as CallContext, { checkpoint }, () => Promise.reject(failed))
      .catch((error: unknown) => error)
    return { failed, asked }
  }
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let begun = 0
  const first = call(() => {
    begun++
    return held
  })
  const second = call(async () => void begun++)
  // The two calls have failed, and wait.
  await new Promise((resolve) => setImmediate(resolve))
  await clock.advance(499)
  expect(logged).toEqual([])
  await clock.advance(1)
  expect(await second.asked).toBe(second.failed)
  expect(logged).toEqual(['eth_call failed: too many failures at once to say where in time'])

  // The explanation has as long as the call itself.
  await clock.advance(60_000)
  expect(begun).toBe(1)
  release()
  expect(await first.asked).toBe(first.failed)
  const third = call(async () => void begun++)
  expect(await third.asked).toBe(third.failed)
  // Nobody waits for the second one any more.
  expect(begun).toBe(2)
})
