import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { RpcExecutionFrame } from '#rpc-types/execution-trace.ts'
import { type GasNode, gasBoxes, gasTree } from './gas-tree.ts'
import { readRun } from './run.ts'

const frame = (parent: number | null, depth: number, gasUsed: number): RpcExecutionFrame => ({
  ...{ type: 'CALL', parent, depth, from: '0x01', to: '0x02', codeAddress: '0x02', code: toWord(1), value: '0x0' },
  ...{ gas: '0x0', gasUsed: `0x${gasUsed.toString(16)}`, input: '0x', output: '0x', error: null },
  ...{ firstStep: 0, endStep: 0 },
})

function tree(frames: readonly RpcExecutionFrame[], refund: number, floor: number) {
  const intrinsic = 21_000
  const used = intrinsic + Number(frames[0]?.gasUsed) - refund + floor
  const quantity = (gas: number) => `0x${gas.toString(16)}` as const
  const trace = { steps: 0, pcs: '0x', gas: '0x', frames, codes: {}, gasLimit: '0x0', gasUsed: quantity(used) } as const
  return gasTree(
    readRun({ ...trace, intrinsicGas: quantity(intrinsic), refund: quantity(refund), floorGas: quantity(floor) }),
  )
}

function sumOfOwn(node: GasNode): number {
  return node.children.reduce((sum, child) => sum + sumOfOwn(child), node.own)
}

test('the parts add up to the receipt’s gas, each counted once', () => {
  const { top, refund, used } = tree([frame(null, 0, 900), frame(0, 1, 500), frame(1, 2, 100), frame(0, 1, 50)], 70, 9)
  expect(top.gas - refund).toBe(used)
  expect(sumOfOwn(top)).toBe(top.gas)
  expect(top.children.map(({ kind, gas, own }) => [kind, gas, own])).toEqual([
    ['intrinsic', 21_000, 21_000],
    ['call', 900, 350],
    ['floor', 9, 9],
  ])
})

test('boxes are placed side by side under their call, and small ones are left out with their contents', () => {
  const { top } = tree([frame(null, 0, 900), frame(0, 1, 500), frame(1, 2, 100), frame(0, 1, 50)], 0, 0)
  const call = top.children[1]
  expect(call && gasBoxes(call, 60).map(({ node, left, depth }) => [node.gas, left, depth])).toEqual([
    [900, 0, 0],
    [500, 0, 1],
    [100, 0, 2],
  ])
})

test('calls nested as deep as the EVM allows do not overflow the stack', () => {
  const deep = Array.from({ length: 1_025 }, (_, i) => frame(i === 0 ? null : i - 1, i, 2_000 - i))
  expect(gasBoxes(tree(deep, 0, 0).top, 0)).toHaveLength(1_027)
})
