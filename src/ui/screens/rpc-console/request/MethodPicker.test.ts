import { expect, test } from 'vitest'
import { groupMethods } from './MethodPicker.tsx'

const METHODS = [
  { name: 'anvil_mine', summary: 'Seals blocks.' },
  { name: 'eth_getBalance', summary: 'Wei held by an account.' },
  { name: 'eth_call', summary: 'Runs a call; what it would give, whatever the balance.' },
  { name: 'rpc.discover', summary: 'This document.' },
  { name: 'devnet_tick', summary: 'Runs ticks.' },
]

test('methods are grouped by namespace, the ones for newcomers first', () => {
  expect(groupMethods(METHODS, '').map(({ namespace }) => namespace)).toEqual(['eth', 'devnet', 'rpc', 'anvil'])
})

test('a search finds words in names and in summaries, names first', () => {
  expect(groupMethods(METHODS, ' BALANCE ')).toEqual([{ namespace: 'eth', methods: [METHODS[1], METHODS[2]] }])
  expect(groupMethods(METHODS, 'eth balance account')).toEqual([{ namespace: 'eth', methods: [METHODS[1]] }])
  expect(groupMethods(METHODS, 'nothing')).toEqual([])
})
