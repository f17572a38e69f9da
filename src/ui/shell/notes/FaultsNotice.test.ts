import { expect, test } from 'vitest'
import { describeFaults } from './FaultsNotice.tsx'

test('a chain without faults has no notice', () => {
  expect(describeFaults({ stalledTicks: 0, sealDelayMs: 0, failNext: [] })).toEqual([])
})

test('each fault has a sentence with what is still to come', () => {
  const failNext = [
    { methods: ['eth_call'], error: { code: -32_000, message: 'out of luck' } },
    { methods: ['eth_chainId', 'net_version'], delayMs: 500, times: 3 },
    { methods: ['eth_gasPrice'], error: { code: -32_603, message: 'broken' }, delayMs: 20, times: 1 },
  ]
  expect(describeFaults({ stalledTicks: 1, sealDelayMs: 6_000, failNext })).toEqual([
    'The next tick will not pre-confirm anything.',
    'The seal of the pending block will come 6,000 ms late.',
    'The next call of eth_call will be refused with “out of luck” (-32000).',
    'The next 3 calls of eth_chainId or net_version will be answered 500 ms late.',
    'The next call of eth_gasPrice will be refused 20 ms late with “broken” (-32603).',
  ])
  const withdrawal = { planned: 'lose', latest: null } as const
  expect(describeFaults({ stalledTicks: 0, sealDelayMs: 0, failNext: [], withdrawal })).toEqual([
    'The next partial block with transactions will be withdrawn; they are lost.',
  ])
  expect(describeFaults({ stalledTicks: 1_200, sealDelayMs: 0, failNext: [] })).toEqual([
    'The next 1,200 ticks will not pre-confirm anything.',
  ])
})
