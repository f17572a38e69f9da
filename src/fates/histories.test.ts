import { expect, test } from 'vitest'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { formatFate } from './fault.ts'
import { findHistories } from './histories.ts'
import type { Recording } from './recording.ts'

async function chainAtStart() {
  const { node, request } = await createTestNode({ mode: 'manual' })
  const snapshot = await request('devnet_snapshot')
  return {
    name: 'chain',
    node,
    async startOver() {
      await request('devnet_reset', [snapshot, [snapshot]])
    },
  }
}

async function oneTransaction(listens = true): Promise<Recording> {
  const raw = await signTransfer(0, 0)
  return { acts: [{ kind: 'send', chain: 'chain', method: 'eth_sendRawTransaction', params: [raw] }], listens }
}

test.each([1, 2])('histories of one transaction with %i faults', async (depth) => {
  const found = await findHistories([await chainAtStart()], await oneTransaction(), { depth })
  const { appendFileSync } = await import('node:fs')
  appendFileSync(
    '/tmp/fates-found.txt',
    `${[found.schedules, found.played, found.histories.length, found.ms, found.leftOut].join(' ')}\n`,
  )
  for (const { fate, schedules, seen } of found.histories)
    appendFileSync('/tmp/fates-found.txt', `${formatFate(fate)} ${schedules} | ${seen.join(' ')}\n`)
  expect(found.histories.length).toBeGreaterThan(5)
})
