import { expect, test } from 'vitest'
import { createTestNode } from '#testing/node/test-node.ts'

test('the number of ticks is a number or a quantity; one by default', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  expect(await request('devnet_tick')).toEqual({ number: '0x1', index: 1 })
  expect(await request('devnet_tick', [2])).toEqual({ number: '0x1', index: 3 })
  expect(await request('devnet_tick', ['0xa'])).toEqual({ number: '0x2', index: 3 })
})
