import { CONSOLE_ADDRESS } from '#rpc-types/console.ts'
import type { FlameNode } from '#solidity/gas/flame.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import type { GasNode } from './gas-tree.ts'

const KINDS = {
  transaction: 'transaction',
  intrinsic: 'intrinsic',
  floor: 'floor',
  frame: 'call',
  function: 'function',
  others: 'function',
} as const

/** The flame graph by call and function, ready to draw. It lacks the refund, which has no width. */
export function flameTree({ kind, name, runs, self, total, children }: FlameNode): GasNode {
  const inside = children.flatMap((child) => (child.kind === 'refund' ? [] : flameTree(child)))
  const refund = children.reduce((sum, child) => sum + (child.kind === 'refund' ? child.total : 0), 0)
  const words =
    kind === 'function' || kind === 'frame'
      ? functionWords(name)
      : kind === 'others'
        ? 'smaller ones, together'
        : undefined
  return {
    kind: kind === 'refund' ? 'transaction' : KINDS[kind],
    gas: total - refund,
    own: self,
    frame: undefined,
    name: words === undefined || runs < 2 ? words : `${words} ×${runs}`,
    children: inside,
  }
}

/** A function's or frame's name from the sources, made safe; the console is known by its address. */
export function functionWords(name: string): string {
  return name === CONSOLE_ADDRESS ? 'console.log' : othersText(name, LONGEST_NAME)
}
