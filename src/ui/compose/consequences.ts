import type { TermId } from '#ui/components/glossary.ts'
import { formatEth, formatGwei } from '#ui/format/numbers.ts'
import { missingNonces, nonceWords } from '#ui/own/nonce-gap.ts'
import { type FeeOffer, requiredOffer } from '#ui/own/replacement-offer.ts'
import type { SenderFacts } from '#ui/queries/sender.ts'
import type { CompleteTransaction } from './complete.ts'

/** The consequence of a choice, in words. */
export interface Consequence {
  /** `goes`: will be included; `waits`: accepted, but stays in the mempool; `refused`: the node will refuse it. */
  readonly verdict: 'goes' | 'waits' | 'refused'
  readonly text: string
  /** A glossary term that explains more. */
  readonly term?: TermId
}

/** Predicts what the chain will do with a transaction, from its nonce, fees and cost. */
export function foresee(tx: CompleteTransaction, facts: SenderFacts, copies = 1): readonly Consequence[] {
  return [foreseeNonce(tx, facts, copies), foreseeFees(tx, facts), foreseeCost(tx, facts, copies)]
}

/** Why a transaction stays in the mempool, as the end of a sentence. */
export function waitsFor(nonce: number, { feeCap }: FeeOffer, facts: SenderFacts): Omit<Consequence, 'verdict'> {
  const missing = missingWords(nonce, facts)
  if (missing) return { text: `is waiting for ${missing} from this sender`, term: 'nonce-gap' }
  if (feeCap < facts.baseFee) {
    return { text: `is waiting for the base fee to fall to ${formatGwei(feeCap)}`, term: 'base-fee' }
  }
  return { text: 'is waiting for the next partial block' }
}

/** The nonces below `nonce` that are neither used nor in the mempool, in words; `undefined` if there are none. */
function missingWords(nonce: number, { nextNonce, waiting }: SenderFacts): string | undefined {
  const missing = missingNonces(nextNonce, waiting.keys(), nonce)
  return missing.length === 0 ? undefined : nonceWords(missing)
}

function foreseeNonce(tx: CompleteTransaction, facts: SenderFacts, copies: number): Consequence {
  const { nextNonce, waiting } = facts
  const { nonce } = tx
  const name = copies === 1 ? `Nonce ${nonce}` : `Nonces ${nonce} to ${nonce + copies - 1}`
  const old = waiting.get(nonce)
  if (old) {
    const required = requiredOffer(old)
    const needs = `a fee cap of at least ${formatGwei(required.feeCap)} and a tip of at least ${formatGwei(required.tip)}`
    return tx.feeCap >= required.feeCap && tx.tip >= required.tip
      ? { verdict: 'goes', text: `It replaces the transaction with nonce ${nonce} that is in the mempool.` }
      : {
          verdict: 'refused',
          text: `A transaction with nonce ${nonce} is in the mempool already. To replace it, offer ${needs}.`,
        }
  }
  if (nonce < nextNonce) {
    return {
      verdict: 'refused',
      text: `${name} is already used: the node will answer “nonce too low”. The next one is ${nextNonce}.`,
    }
  }
  if (nonce === nextNonce) {
    return {
      verdict: 'goes',
      text: copies === 1 ? `${name} is this sender’s next nonce.` : `${name} are this sender’s next nonces.`,
    }
  }
  const missing = missingWords(nonce, facts)
  if (missing === undefined) {
    return { verdict: 'goes', text: `${name} comes after the transactions of this sender that are in the mempool.` }
  }
  return {
    verdict: 'waits',
    text: `${name} leaves a gap: it waits in the mempool for ${missing}.`,
    term: 'nonce-gap',
  }
}

function foreseeFees(tx: CompleteTransaction, { baseFee }: SenderFacts): Consequence {
  if (tx.feeCap < baseFee) {
    return {
      verdict: 'waits',
      text: `The fee cap is below the base fee of ${formatGwei(baseFee)}: it waits in the mempool until the base fee is low enough.`,
    }
  }
  const room = tx.feeCap - baseFee
  const tip = tx.tip < room ? tx.tip : room
  return {
    verdict: 'goes',
    text:
      `It pays the base fee of ${formatGwei(baseFee)} and a tip of ${formatGwei(tip)} per gas. ` +
      'The highest tip in the mempool goes first.',
  }
}

function foreseeCost(tx: CompleteTransaction, { balance }: SenderFacts, copies: number): Consequence {
  const most = (tx.gas * tx.feeCap + tx.value) * BigInt(copies)
  if (most > balance) {
    return {
      verdict: 'refused',
      text: `It may cost up to ${formatEth(most, 6)}, but the sender has ${formatEth(balance)}: the node will answer “insufficient funds for gas * price + value”.`,
    }
  }
  return { verdict: 'goes', text: `It costs at most ${formatEth(most, 9)}, including the value.` }
}
