import { expect, test } from 'vitest'
import { type Address, toQuantity } from '#primitives/hex.ts'
import type { RpcCallFrame } from '#rpc-types/methods/debug.ts'
import { countCalls, countLogs, entriesOf, errorAddresses, raiserOf } from './call-tree.ts'

const address = (id: number): Address => `0x${id.toString(16).padStart(40, '0')}`

function frame(id: number, rest: Partial<RpcCallFrame> = {}): RpcCallFrame {
  return { type: 'CALL', from: address(0), to: address(id), gas: '0x1', gasUsed: '0x1', input: '0x', ...rest }
}

const log = (position: number) => ({
  address: address(1),
  topics: [],
  data: '0x' as const,
  index: '0x0' as const,
  position: toQuantity(position),
})

test('logs are ordered between the calls before and after them', () => {
  const calls = [frame(2), frame(3)]
  const entries = entriesOf(frame(1, { calls, logs: [log(0), log(1), log(1), log(2)] }))
  expect(entries.map((entry) => (entry.kind === 'log' ? 'log' : entry.frame.to))).toEqual([
    'log',
    address(2),
    'log',
    'log',
    address(3),
    'log',
  ])
})

test('calls and logs are counted at every depth', () => {
  const tree = frame(1, { calls: [frame(2, { calls: [frame(3, { logs: [log(0)] })] }), frame(4)], logs: [log(0)] })
  expect(countCalls(tree)).toBe(4)
  expect(countLogs(tree)).toBe(2)
})

test('an error may come from any contract that failed on the way', () => {
  const failed = { error: 'execution reverted' }
  const tree = frame(1, { ...failed, calls: [frame(2), frame(3, { ...failed, calls: [frame(4, failed)] })] })
  expect(errorAddresses(tree)).toEqual([address(1), address(3), address(4)])
})

test('an error that was passed on arose in the innermost call that had it; borrowed code has the account of its borrower', () => {
  const output = '0x12345678'
  const failed = { error: 'execution reverted', output } as const
  const token = frame(3, { ...failed, calls: [frame(4, { ...failed, type: 'DELEGATECALL' })] })
  expect(raiserOf(frame(1, { ...failed, calls: [token, frame(5)] }))).toBe(address(3))
  expect(raiserOf(frame(1, { ...failed, calls: [frame(3, { ...failed, output: '0x' })] }))).toBe(address(1))
  expect(raiserOf(frame(1, { ...failed, calls: [frame(3, { output })] }))).toBe(address(1))
})
