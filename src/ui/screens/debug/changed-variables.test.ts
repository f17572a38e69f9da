import { expect, test } from 'vitest'
import type { StepVariables } from '#solidity/variables/run-variables.ts'
import { changedVariables } from './changed-variables.ts'

function at(frame: number, name: string, n: string | undefined, total: string): StepVariables {
  return {
    frame,
    locals: { known: true, function: name, variables: [{ kind: 'local', name: 'n', type: 'uint256', value: n }] },
    state: {
      known: true,
      contract: 'Bank',
      variables: [{ kind: 'stored', path: 'total', type: 'uint256', value: total }],
      more: 0,
    },
  }
}

const names = ({ locals, state }: ReturnType<typeof changedVariables>) => [[...locals], [...state]]

test('a variable whose value differs from that at the step before has changed', () => {
  const before = at(0, 'Bank.add', '1', '5')
  expect(names(changedVariables(before, at(0, 'Bank.add', '1', '5')))).toEqual([[], []])
  expect(names(changedVariables(before, at(0, 'Bank.add', '2', '6')))).toEqual([['n'], ['total']])
})

test('variables of another function, and those that became unknown, do not count as changed', () => {
  const before = at(0, 'Bank.add', '1', '5')
  expect(names(changedVariables(before, at(0, 'Bank.take', '2', '5')))).toEqual([[], []])
  expect(names(changedVariables(before, at(1, 'Bank.add', '2', '6')))).toEqual([[], ['total']])
  expect(names(changedVariables(before, at(0, 'Bank.add', undefined, '5')))).toEqual([[], []])
  const unknown: StepVariables = { ...before, locals: { known: false, reason: 'leaving' } }
  expect(names(changedVariables(unknown, before))).toEqual([[], []])
})
