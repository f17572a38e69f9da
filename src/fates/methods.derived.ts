import { METHOD_FACTS } from '#rpc-types/facts.ts'
import type { MethodFacts } from '#rpc-types/method.ts'

const facts = Object.entries<MethodFacts>(METHOD_FACTS)

/** Methods that send a transaction, or a bundle of calls. */
export const SENDS: readonly string[] = facts.flatMap(([name, { effect, approval }]) =>
  effect === 'submits' ||
  effect === 'awaits' ||
  approval?.asks === 'calls' ||
  (approval?.asks === 'transaction' && approval.sent)
    ? [name]
    : [],
)

/** What reads are about, without those that are about nothing that a block can change. */
export const READS = Object.fromEntries(
  facts.flatMap(([name, { effect, subject }]) => {
    const isRead = effect === 'reads' && subject.about !== 'nothing' && subject.about !== 'own'
    return isRead || name === 'eth_blockNumber' ? [[name, subject]] : []
  }),
) as Readonly<Record<string, MethodFacts['subject']>>
