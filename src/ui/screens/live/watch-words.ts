import { formatPace } from '#ui/format/numbers.ts'
import type { ChainAnswer } from '#ui/queries/answer.ts'

/** What to watch a transaction do, after “watch it”. */
export function watchWords(answer: ChainAnswer): string {
  switch (answer.kind) {
    case 'partial':
      return `enter the pending block within ${formatPace(answer.partialMs)}, long before the block is sealed`
    case 'block':
      return `enter a sealed block within ${formatPace(answer.blockMs)}`
    case 'automine':
      return 'enter a block of its own, which is sealed at once'
    case 'request':
      return 'wait until something asks for a block, such as evm_mine'
    case 'manual':
      return 'enter the pending block at the next step of the clock, before the block is sealed'
  }
}

/** What becomes of what arrives in the mempool. */
export function arrivalWords({ kind }: ChainAnswer): string {
  switch (kind) {
    case 'partial':
    case 'manual':
      return 'what arrives is pre-confirmed within one partial block'
    case 'block':
      return 'what arrives is in the next block'
    case 'automine':
      return 'what arrives is sealed at once'
    case 'request':
      return 'nothing has arrived since the last block'
  }
}
