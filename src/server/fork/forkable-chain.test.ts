import { expect, test } from 'vitest'
import type { Node } from '#node/node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { ForkableChain, type StartedChain } from './forkable-chain.ts'

/** A chain whose resets are waiting until the test opens the next one. */
async function opened() {
  const ended: string[] = []
  /** A chain that only tells its modes. */
  const chainCalled = (name: string): StartedChain => {
    const endpoint = new FakeEndpoint({ devnet_status: () => ({ automine: false, paused: false }) })
    const node: Node = {
      connect: (push, options) => endpoint.connect(push, options),
      start() {},
      close: async () => {},
    }
    return { node, close: async () => void ended.push(name) }
  }
  const waiting: ((chain: StartedChain) => void)[] = []
  const begin = () => new Promise<StartedChain>((resolve) => waiting.push(resolve))
  const options = { clock: new FakeClock(), fork: undefined, isKept: false, begin }
  const [chain] = await ForkableChain.open(options, async () => chainCalled('first'))
  return { chain, ended, openNext: (name: string) => waiting.shift()?.(chainCalled(name)) }
}

test('of two resets at once the second is refused, and a later one is not', async () => {
  const { chain, ended, openNext } = await opened()
  const reset = chain.reset(undefined)
  await expect(chain.reset(undefined)).rejects.toThrow('another reset is under way')
  openNext('second')
  await reset
  const later = chain.reset(undefined)
  openNext('third')
  await later
  await chain.close()
  expect(ended).toEqual(['first', 'second', 'third'])
})

test('a chain that is opened while the server stops ends at once', async () => {
  const { chain, ended, openNext } = await opened()
  const reset = chain.reset(undefined)
  await chain.close()
  expect(ended).toEqual(['first'])
  openNext('second')
  await expect(reset).rejects.toThrow('the node is stopping')
  expect(ended).toEqual(['first', 'second'])
})
