import { expect, test } from 'vitest'
import { Emitter } from '#primitives/emitter.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { PartialBlock } from '../../payload/block.ts'
import type { ChainEvents } from '../../sequencer/events.ts'
import type { PartialTexts } from './event-texts.ts'
import { SubscriptionHub } from './subscription-hub.ts'

const empty = { transactions: [], firstNew: 0 } as unknown as PartialBlock

function createHub(clock = new FakeClock()) {
  const events = new Emitter<ChainEvents>()
  const logged: unknown[] = []
  return { hub: new SubscriptionHub({ events, clock }, (_, error) => logged.push(error)), events, logged }
}

test('all subscribers of an event share its texts', () => {
  const { hub, events } = createHub()
  const seen: PartialTexts[] = []
  const publisher = {
    partial(texts: PartialTexts) {
      seen.push(texts)
      return []
    },
  }
  for (let i = 0; i < 2; i++) hub.add(publisher, () => undefined)
  events.emit('partial', { partial: empty })
  expect(seen).toHaveLength(2)
  expect(seen[0]).toBe(seen[1])
})

test('a removed subscription costs nothing', () => {
  const { hub, events } = createHub()
  let asked = 0
  const publisher = {
    partial() {
      asked++
      return []
    },
  }
  const subscription = hub.add(publisher, () => undefined)
  events.emit('partial', { partial: empty })
  hub.remove(subscription)
  events.emit('partial', { partial: empty })
  expect(asked).toBe(1)
})

test('a bug in one publisher ends only that subscription', () => {
  const { hub, events, logged } = createHub()
  const bug = new Error('cannot format')
  const pushed: string[] = []
  const broken = hub.add(
    {
      partial() {
        throw bug
      },
    },
    () => undefined,
  )
  const working = hub.add({ partial: () => ['1'] }, (body) => pushed.push(body))
  for (const subscription of [broken, working]) hub.activate(subscription)
  for (let i = 0; i < 2; i++) events.emit('partial', { partial: empty })
  const notification = { jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: working.id, result: 1 } }
  expect(pushed.map((body) => JSON.parse(body) as unknown)).toEqual([notification, notification])
  expect(logged).toEqual([bug])
})

test('a node that starts later uses other ids', () => {
  const clock = new FakeClock()
  const publisher = {}
  const before = createHub(clock).hub.add(publisher, () => undefined)
  clock.jump(1)
  const { hub } = createHub(clock)
  const after = [hub.add(publisher, () => undefined), hub.add(publisher, () => undefined)]
  expect(new Set([before, ...after].map(({ id }) => id)).size).toBe(3)
})
