import { parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { joinAbis } from './join-abis.ts'

test('two ABIs have the functions of both, and those that both have as the first has them', () => {
  const first = parseAbi(['function a() view returns (uint256)', 'event E(uint256 indexed x)', 'error Bad()'])
  const second = parseAbi([
    'function a() returns (uint256)',
    'function a(uint256 x) view returns (uint256)',
    'event E(uint256 x)',
    'error Bad()',
  ])
  const [, other, event] = second
  expect(joinAbis(first, second)).toEqual([...first, other, event])
})
