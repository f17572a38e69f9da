import { expect, test } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { isPinnable } from '#rpc-types/effects.ts'
import {
  type ChainMoment,
  type PinnedRequest,
  pinOf,
  withAnswer,
} from '#ui/screens/rpc-console/store/pinned-reducer.ts'
import { followPins, type PinHost } from './follow-pins.ts'
import { pinWords } from './PinsPanel.tsx'

/** A chain with answers given by the test. */
function setUp() {
  let pins: readonly PinnedRequest[] = [pinOf(1, 'eth_blockNumber', []), pinOf(2, 'eth_nope', [])]
  let moment: ChainMoment = { blockNumber: 1, partialIndex: 0 }
  let listener: (() => void) | undefined
  let asked = 0
  let gate = Promise.resolve()
  const { provider } = createProvider(async (body) => {
    asked++
    const { id, method } = JSON.parse(body) as { id: number; method: string }
    const result = `0x${moment.blockNumber.toString(16)}`
    await gate
    return JSON.stringify(
      method === 'eth_nope'
        ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }
        : { jsonrpc: '2.0', id, result },
    )
  })
  const commits: ChainMoment[] = []
  const host: PinHost = {
    provider,
    pins: () => pins,
    moment: () => moment,
    subscribe(added) {
      listener = added
      return () => {
        listener = undefined
      }
    },
    commit(answers, at) {
      commits.push(at)
      pins = pins.map((pinned) => {
        const answer = answers.get(pinned.id)
        return answer ? withAnswer(pinned, answer, at) : pinned
      })
    },
  }
  return {
    host,
    commits,
    pin: (i: number) => pins[i] as PinnedRequest,
    asked: () => asked,
    arrive(next: ChainMoment) {
      moment = next
      listener?.()
    },
    isFollowed: () => listener !== undefined,
    holdAnswers() {
      let release = () => {}
      gate = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
  }
}

/** Lets everything pending finish. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('pinned requests run at every new partial block, with one commit for all of them', async () => {
  const chain = setUp()
  followPins(chain.host)
  await settle()
  expect(chain.commits).toHaveLength(1)
  expect(chain.pin(0)).toMatchObject({ runs: 1, changes: 0, answer: { ok: true, result: '0x1' } })
  expect(chain.pin(1).answer).toEqual({ ok: false, message: 'no such method' })

  chain.arrive({ blockNumber: 1, partialIndex: 1 })
  await settle()
  expect(pinWords(chain.pin(0))).toBe('The same in all 2 runs.')

  chain.arrive({ blockNumber: 2, partialIndex: 0 })
  await settle()
  expect(pinWords(chain.pin(0))).toBe('Changed with partial block 1 of #2.')
  expect(chain.pin(0).lastChange?.places).toEqual([{ path: '', before: '0x1', after: '0x2' }])

  chain.arrive({ blockNumber: 2, partialIndex: 1 })
  await settle()
  expect(pinWords(chain.pin(0))).toBe('Unchanged since partial block 1 of #2.')
  expect(chain.pin(1)).toMatchObject({ runs: 4, changes: 0 })
  expect(chain.commits).toHaveLength(4)
})

test('partial blocks that arrive while answers are late lead to one more round', async () => {
  const chain = setUp()
  const release = chain.holdAnswers()
  followPins(chain.host)
  for (let partialIndex = 1; partialIndex < 9; partialIndex++) chain.arrive({ blockNumber: 1, partialIndex })
  expect(chain.asked()).toBe(2)
  release()
  await settle()
  expect(chain.asked()).toBe(4)
  expect(chain.commits.at(-1)).toEqual({ blockNumber: 1, partialIndex: 8 })
})

test('after the end there are no calls and no commits', async () => {
  const chain = setUp()
  const release = chain.holdAnswers()
  const stop = followPins(chain.host)
  stop()
  release()
  await settle()
  expect(chain.commits).toEqual([])
  expect(chain.isFollowed()).toBe(false)
})

test('only read-only methods can be pinned', () => {
  for (const method of ['eth_getBalance', 'eth_call', 'txpool_content', 'debug_traceCall']) {
    expect([method, isPinnable(method)]).toEqual([method, true])
  }
  for (const method of ['eth_sendTransaction', 'eth_newFilter', 'eth_subscribe', 'anvil_mine', 'toString', 'x_y']) {
    expect([method, isPinnable(method)]).toEqual([method, false])
  }
})
