import type { Abi } from 'viem'
import { signatureOf } from './signature.ts'

/** Two ABIs in one. What both have counts as the first has it. */
export function joinAbis(first: Abi, second: Abi): Abi {
  const keys = new Set(first.map(keyOf))
  return [...first, ...second.filter((item) => !keys.has(keyOf(item)))]
}

/** Events with the same signature may differ in which arguments are indexed. */
function keyOf(item: Abi[number]): string {
  if (!('name' in item)) return item.type
  const indexed = item.type === 'event' ? item.inputs.map((input) => Number(input.indexed === true)).join('') : ''
  return `${item.type} ${signatureOf(item)} ${indexed}`
}
