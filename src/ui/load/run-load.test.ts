import { expect, test } from 'vitest'
import { ProviderRpcError } from '#client/session/provider.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { FakeLoadNode } from '#testing/ui/fake-load-node.ts'
import type { LoadPlan } from './load-plan.ts'
import type { LoadSender, Sent } from './load-sender.ts'
import { runLoad } from './run-load.ts'

/** Accepts everything, unless a test says otherwise. */
class FakeSender {
  readonly done: string[] = []
  sent = 0
  answer: () => Promise<Sent> = () => Promise.resolve('taken')
  async prepare(): Promise<void> {
    this.done.push('prepare')
  }
  async refresh(): Promise<void> {
    this.done.push('refresh')
  }
  async deploy(): Promise<void> {
    this.done.push('deploy')
  }
  async findGaps(): Promise<void> {
    this.done.push('find gaps')
  }
  gaps = 0
  async fillGaps(): Promise<boolean> {
    this.done.push('fill gaps')
    return this.gaps-- <= 0
  }
  async send(count: number): Promise<readonly Promise<Sent>[]> {
    this.sent += count
    return Array.from({ length: count }, this.answer)
  }
}

function start(first: LoadPlan) {
  const clock = new FakeClock()
  const node = new FakeLoadNode()
  const sender = new FakeSender()
  const seen = { phases: [] as string[], taken: 0, failures: [] as unknown[], closed: 0, plan: first }
  const stop = runLoad({
    provider: node.provider,
    sender: sender as unknown as LoadSender,
    clock,
    plan: () => seen.plan,
    onPhase: (phase) => seen.phases.push(phase),
    onSent: (count) => {
      seen.taken += count
    },
    onFailure: (error) => seen.failures.push(error),
    onClosed: () => {
      seen.closed++
    },
  })
  return { clock, node, sender, seen, stop }
}

test('the requested number is sent per second, evenly', async () => {
  const { clock, sender, seen, stop } = start({ rate: 20, pattern: 'steady' })
  await clock.advance(500)
  expect(sender.sent).toBe(10)
  await clock.advance(500)
  expect(sender.sent).toBe(20)
  expect(seen).toMatchObject({ phases: ['running'], taken: 20, failures: [] })
  stop()
  await clock.advance(5_000)
  expect(sender.sent).toBe(20)
})

test('a burst is sent at once, in batches, and then nothing until the next', async () => {
  const { clock, sender } = start({ rate: 50, pattern: 'burst' })
  await clock.advance(100)
  expect(sender.sent).toBe(100)
  await clock.advance(1_800)
  expect(sender.sent).toBe(100)
  await clock.advance(200)
  expect(sender.sent).toBe(200)
})

test('a new plan takes effect at the next step, and counts from there', async () => {
  const { clock, sender, seen } = start({ rate: 20, pattern: 'steady' })
  await clock.advance(1_000)
  seen.plan = { rate: 2, pattern: 'steady' }
  await clock.advance(1_100)
  expect(sender.sent).toBe(22)
})

test('a load that calls a contract waits until it is deployed', async () => {
  const { clock, node, sender, seen } = start({ rate: 20, pattern: 'calls' })
  node.answers['eth_getCode'] = () => '0x'
  await clock.advance(1_000)
  expect(sender.done).toEqual(['prepare', 'deploy'])
  expect(sender.sent).toBe(0)
  node.answers['eth_getCode'] = () => '0x60'
  await clock.advance(200)
  expect(seen.phases).toEqual(['deploying', 'running'])
  expect(sender.sent).toBeGreaterThan(0)
})

test('nothing more is sent to a full pool', async () => {
  const { clock, node, sender } = start({ rate: 100, pattern: 'steady' })
  node.answers['txpool_status'] = () => ({ pending: '0xbb8', queued: '0x0' })
  await clock.advance(2_000)
  expect(sender.sent).toBe(0)
  node.answers['txpool_status'] = () => ({ pending: '0xbae', queued: '0x0' })
  await clock.advance(500)
  expect(sender.sent).toBe(10)
})

test('when anything waits behind a gap, gaps are searched, whatever else is about to be included', async () => {
  const { clock, node, sender } = start({ rate: 1, pattern: 'steady' })
  await clock.advance(400)
  expect(sender.done).toEqual(['prepare'])
  node.answers['txpool_status'] = () => ({ pending: '0x9', queued: '0x4' })
  await clock.advance(500)
  expect(sender.done).toEqual(['prepare', 'find gaps'])
})

test('a load that ends fills its gaps, and closes once there are none', async () => {
  const { clock, sender, seen, stop } = start({ rate: 1, pattern: 'steady' })
  await clock.advance(400)
  sender.gaps = 2
  stop()
  await clock.advance(300)
  expect(seen.closed).toBe(0)
  await clock.advance(300)
  expect(sender.done).toEqual(['prepare', 'fill gaps', 'fill gaps', 'fill gaps'])
  expect(seen.closed).toBe(1)
})

test('a load ends even if the chain keeps refusing', async () => {
  const { clock, sender, seen, stop } = start({ rate: 1, pattern: 'steady' })
  await clock.advance(400)
  sender.gaps = Number.POSITIVE_INFINITY
  stop()
  await clock.advance(60_000)
  expect(seen.closed).toBe(1)
})

test('fees are refreshed every few seconds', async () => {
  const { clock, sender } = start({ rate: 1, pattern: 'steady' })
  await clock.advance(11_000)
  expect(sender.done).toEqual(['prepare', 'refresh', 'refresh'])
})

test('a few refusals are ignored, many end the load with their reason', async () => {
  const { clock, sender, seen } = start({ rate: 20, pattern: 'steady' })
  const error = new ProviderRpcError(-32000, 'out of order, on request')
  let refused = 3
  sender.answer = () => Promise.resolve(refused-- > 0 ? error : 'taken')
  await clock.advance(1_000)
  expect(seen).toMatchObject({ taken: 17, failures: [] })
  refused = Number.POSITIVE_INFINITY
  await clock.advance(3_000)
  expect(seen.failures).toEqual([error])
  const { sent } = sender
  await clock.advance(1_000)
  expect(sender.sent).toBe(sent)
})

test('a few unexpected nonces are ignored, many end the load', async () => {
  const { clock, sender, seen } = start({ rate: 100, pattern: 'steady' })
  sender.answer = () => Promise.resolve('nonce-used')
  await clock.advance(1_900)
  expect(seen.failures).toEqual([])
  await clock.advance(200)
  expect(seen.failures).toEqual([new Error('another program sends from the accounts of the load')])
  expect(seen.taken).toBe(0)
})

test('a node that cannot be prepared ends the load', async () => {
  const { clock, sender, seen } = start({ rate: 1, pattern: 'steady' })
  sender.prepare = () => Promise.reject(new Error('no such method'))
  await clock.advance(100)
  expect(seen.failures).toEqual([new Error('no such method')])
})
