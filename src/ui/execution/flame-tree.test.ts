import { expect, test } from 'vitest'
import type { FlameNode } from '#solidity/gas/flame.ts'
import { flameTree, functionWords } from './flame-tree.ts'

const node = (kind: FlameNode['kind'], name: string, self: number, children: readonly FlameNode[] = [], runs = 1) => ({
  ...{ kind, name, runs, self, children },
  total: children.reduce((sum, { total }) => sum + total, self),
})

test('boxes are as wide as the gas paid before the refund, and functions say how often they ran', () => {
  const call = node('frame', 'Token.transfer', 40, [node('function', 'Token._move', 60, [], 3)])
  const top = node('transaction', 'transaction', 0, [
    call,
    node('intrinsic', 'intrinsic', 21),
    node('refund', 'refund', -9),
  ])
  expect(top.total).toBe(112)
  expect(flameTree(top)).toMatchObject({
    gas: 121,
    children: [
      { kind: 'call', name: 'Token.transfer', gas: 100, own: 40, children: [{ name: 'Token._move ×3', gas: 60 }] },
      { kind: 'intrinsic', name: undefined, gas: 21 },
    ],
  })
})

test('untrusted names are made safe and cut, and the console has its name', () => {
  expect(flameTree(node('function', 'A\u202eB', 1)).name).toBe('A\\u{202e}B')
  expect(functionWords('w'.repeat(1_000))).toHaveLength(101)
  expect(functionWords('0x000000000000000000636f6e736f6c652e6c6f67')).toBe('console.log')
})
