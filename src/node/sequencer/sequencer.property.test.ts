import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hash } from '#primitives/hex.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import { Follower } from '#testing/node/sequencer/follower.ts'
import { check } from '#testing/node/sequencer/invariants.ts'
import { EDITED, RECIPIENT, required } from '#testing/node/sequencer/observe.ts'
import { type Model, operation, run } from '#testing/node/sequencer/operations.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { runsOf } from '#testing/primitives/runs.ts'

test('after any operations the chain is consistent, and every change has its event', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 40, size: 'max' }), async (operations) => {
      const node = await createTestNode({ mode: 'manual' })
      await node.request('eth_subscribe', ['newPartialBlocks'])
      const headsId = await node.request('eth_subscribe', ['newHeads'])
      const follower = new Follower(headsId)
      await node.request('devnet_tick')
      const model: Model = { sent: new Set(), snapshots: [], ids: new Set() }
      for (const [step, next] of operations.entries()) {
        await run(node, next, step, model)
        follower.follow(node)
        await check(node, model.sent, follower)
      }
      expect(node.logged).toEqual([])
    }),
    { numRuns: runsOf(40) },
  )
})

test('a chain driven by the clock survives the same operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 25, size: 'max' }), async (operations) => {
      const node = await createTestNode()
      await node.request('eth_subscribe', ['newPartialBlocks'])
      const follower = new Follower(await node.request('eth_subscribe', ['newHeads']))
      const model: Model = { sent: new Set(), snapshots: [], ids: new Set() }
      for (const [step, next] of operations.entries()) {
        await run(node, next, step, model)
        await node.clock.advance(step % 3 === 0 ? 2_100 : 150)
        follower.follow(node)
        await check(node, model.sent, follower)
      }
      const { number } = await required(node, 'latest')
      await node.clock.advance(10_000)
      expect(Number((await required(node, 'latest')).number)).toBeGreaterThanOrEqual(Number(number) + 1)
      expect(node.logged).toEqual([])
    }),
    { numRuns: runsOf(25) },
  )
})

test('operations that are requested at the same time run one after the other', async () => {
  const steering = fc.constantFrom<readonly [MethodName, ...unknown[]]>(
    ['devnet_tick', 3],
    ['devnet_seal', 2],
    ['devnet_dropPartialBlocks', 2, 'requeue'],
    ['devnet_dropPartialBlocks', 1, 'lose'],
    ['devnet_reorg', 1, 'requeue'],
    ['devnet_reorg', 2, 'lose'],
    ['devnet_faucet', EDITED, '0x1'],
    ['anvil_setBalance', EDITED, '0x7'],
    ['evm_increaseTime', 5],
    ['evm_snapshot'],
    ['evm_revert', '0x1'],
    ['evm_revert', '0x2'],
    ['devnet_reset'],
  )
  await fc.assert(
    fc.asyncProperty(fc.array(steering, { minLength: 1, maxLength: 20, size: 'max' }), async (calls) => {
      const node = await createTestNode()
      await node.request('eth_subscribe', ['newPartialBlocks'])
      const follower = new Follower(await node.request('eth_subscribe', ['newHeads']))
      await node.clock.advance(200)
      const sent = new Set<Hash>()
      for (const nonce of [0, 1, 2]) {
        const raw = await signTransfer(0, nonce, { to: RECIPIENT })
        sent.add(await node.request('eth_sendRawTransaction', [raw]))
      }
      await node.request('devnet_seal', [2])
      const done = Promise.allSettled(calls.map(([method, ...params]) => node.request(method, params)))
      await node.clock.advance(700)
      // Only a reorg that is deeper than the chain may fail.
      for (const [i, { status }] of (await done).entries()) {
        if (status === 'rejected') expect(calls[i]?.[0]).toBe('devnet_reorg')
      }
      await node.clock.advance(200)
      follower.follow(node)
      await check(node, sent, follower)
      expect(node.logged).toEqual([])
    }),
    { numRuns: runsOf(40) },
  )
})
