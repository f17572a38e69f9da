import { formatPace } from '#ui/format/numbers.ts'
import type { ChainAnswer } from '#ui/queries/answer.ts'

/** What the chain does, in one headline. */
export function answerTitle({ kind }: ChainAnswer): string {
  switch (kind) {
    case 'partial':
    case 'manual':
      return 'A chain that answers before it confirms'
    case 'block':
      return 'A chain, block by block'
    case 'automine':
      return 'A chain that seals every transaction at once'
    case 'request':
      return 'A chain that seals on request'
  }
}

/** What happens to a transaction, after “a transaction is”. */
export function answerWords(answer: ChainAnswer): string {
  switch (answer.kind) {
    case 'partial':
      return `in the pending block within ${formatPace(answer.partialMs)}, long before the block is sealed`
    case 'block':
      return `in a sealed block within ${formatPace(answer.blockMs)}`
    case 'automine':
      return 'sealed at once, in a block of its own'
    case 'request':
      return 'in a block when something asks for one, such as evm_mine'
    case 'manual':
      return 'in the pending block at the next step of the clock, before the block is sealed'
  }
}
