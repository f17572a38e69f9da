import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { createRelay } from './relay.ts'

const call = (method: string, params: readonly unknown[], id: number) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })
const settle = () => new Promise((resolve) => void setImmediate(resolve))

test('whatever happens to the nodes, each call ends once, and a call with an effect reaches at most one node', async () => {
  const METHODS = ['eth_blockNumber', 'devnet_tick', 'eth_sendRawTransaction', 'eth_subscribe', 'evm_mine'] as const
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('call' as const), method: fc.constantFrom(...METHODS) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('move' as const, 'leave' as const, 'refuse' as const) }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const relay = createRelay()
      const connection = relay.connect(() => true)
      const ends = new Map<number, number>()
      const reached = new Map<string, Set<number>>()
      let unanswered: (() => void)[] = []
      let nodes = 0
      let calls = 0
      const node = (patient: boolean) => {
        const number = ++nodes
        const run = (params: readonly unknown[]) => {
          const key = String(params[0])
          reached.set(key, (reached.get(key) ?? new Set()).add(number))
          if (!patient) return `0x${number}`
          return new Promise((resolve) => unanswered.push(() => resolve(`0x${number}`)))
        }
        return new FakeEndpoint({
          ...Object.fromEntries(METHODS.map((method) => [method, run])),
          web3_sha3: () => '0xhash',
          chain_transactionStatus: () => ({ status: 'Unknown' }),
        })
      }
      const methodOf = new Map<string, string>()
      for (const next of steps) {
        if (next.do === 'call') {
          const id = ++calls
          methodOf.set(`call ${id}`, next.method)
          void connection
            .handle(call(next.method, [`call ${id}`], id))
            .then(() => ends.set(id, (ends.get(id) ?? 0) + 1))
        } else if (next.do === 'answer') unanswered.splice(next.which % (unanswered.length || 1), 1)[0]?.()
        else if (next.do === 'move') relay.moveTo(node(true))
        else if (next.do === 'leave') relay.leave()
        else relay.refuse('nobody is there')
        await settle()
      }
      unanswered = []
      relay.moveTo(node(false))
      await settle()
      expect([...ends.values()]).toEqual(Array.from({ length: calls }, () => 1))
      for (const [key, by] of reached) {
        if (methodOf.get(key) === 'devnet_tick' || methodOf.get(key) === 'evm_mine') expect(by.size).toBe(1)
      }
    }),
    { numRuns: 60 },
  )
})
