import { test } from 'vitest'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { findHistories } from './histories.ts'

test('prof', async () => {
  const { node, request } = await createTestNode({ mode: 'manual' })
  const snapshot = await request('devnet_snapshot')
  const t = { reset: 0, n: 0, calls: 0, callMs: 0, by: {} as Record<string, [number, number]> }
  const wrapped = {
    connect(push: any, options: any) {
      const inner = node.connect(push, options)
      return {
        async handle(body: string, caller: any) {
          const at = performance.now()
          const r = await inner.handle(body, caller)
          const m = JSON.parse(body)
          const name = Array.isArray(m) ? `batch${m.length}` : m.method
          const e = (t.by[name] ??= [0, 0])
          e[0]++
          e[1] += performance.now() - at
          return r
        },
        close: () => inner.close(),
      }
    },
  }
  const chain = {
    name: 'chain',
    node: wrapped,
    async startOver() {
      const at = performance.now()
      await request('devnet_reset', [snapshot, [snapshot]])
      t.reset += performance.now() - at
      t.n++
    },
  }
  const raw = await signTransfer(0, 0)
  const found = await findHistories(
    [chain],
    { acts: [{ kind: 'send', chain: 'chain', method: 'eth_sendRawTransaction', params: [raw] }], listens: true },
    { depth: 2, withinMs: 8000 },
  )
  const { writeFileSync } = await import('node:fs')
  writeFileSync('/tmp/prof.json', JSON.stringify({ played: found.played, ms: found.ms, t }, null, 1))
})
