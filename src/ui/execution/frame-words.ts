import { decodeCall } from '#ui/decode/decode-call.ts'
import type { Contracts } from '#ui/decode/knowledge.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import type { RunFrame } from './run.ts'

/** A frame's function in a few words, made safe to show. */
export function frameWords(contracts: Contracts, { type, to, input, parent }: RunFrame): string {
  if (type === 'CREATE' || type === 'CREATE2') return 'constructor'
  const call = decodeCall(contracts, to, input)
  if (call) return othersText(call.name, LONGEST_NAME)
  if (input === '0x') return parent === null ? 'transfer of ETH' : 'no data'
  return input.slice(0, 10)
}
