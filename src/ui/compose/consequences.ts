import { formatEth, formatGwei } from '#ui/format/numbers.ts'
import type { TermId } from '#ui/learn/glossary.ts'
import { requiredOffer } from '#ui/own/replacement-offer.ts'
import type { CompleteTransaction, SenderFacts } from './complete.ts'

/** What will happen because of a choice, in words. */
export interface Consequence {
  /** `waits`: accepted, and left in the mempool; `refused`: the node will say no. */
  readonly verdict: 'goes' | 'waits' | 'refused'
  readonly text: string
  /** A word that says more. */
  readonly term?: TermId
}

/** What the chain will do with a transaction, as far as its nonce, its fees and its cost decide. */
export function foresee(tx: CompleteTransaction, facts: SenderFacts, copies = 1): readonly Consequence[] {
  return [foreseeNonce(tx, facts, copies), foreseeFees(tx, facts), foreseeCost(tx, facts, copies)]
}

function foreseeNonce(tx: CompleteTransaction, { nextNonce, waiting }: SenderFacts, copies: number): Consequence {
  const { nonce } = tx
  const name = copies === 1 ? `Nonce ${nonce}` : `Nonces ${nonce} to ${nonce + copies - 1}`
  const old = waiting.get(nonce)
  if (old) {
    const required = requiredOffer(old)
    const needs = `a fee cap of at least ${formatGwei(required.feeCap)} and a tip of at least ${formatGwei(required.tip)}`
    return tx.feeCap >= required.feeCap && tx.tip >= required.tip
      ? { verdict: 'goes', text: `${name} waits in the mempool already: this transaction replaces the other one.` }
      : { verdict: 'refused', text: `${name} waits in the mempool already. To replace that one takes ${needs}.` }
  }
  if (nonce < nextNonce) {
    return {
      verdict: 'refused',
      text: `${name} is used up: the node will say “nonce too low”. The next is ${nextNonce}.`,
    }
  }
  if (nonce === nextNonce) {
    return {
      verdict: 'goes',
      text:
        copies === 1
          ? `${name} is the next one: nothing has to come before it.`
          : `${name} follow each other from the next one on.`,
    }
  }
  const missing = nonce - 1 === nextNonce ? `nonce ${nextNonce} is` : `the nonces ${nextNonce} to ${nonce - 1} are`
  return {
    verdict: 'waits',
    text: `${name} leaves a gap: it is accepted, and waits in the mempool until ${missing} used.`,
    term: 'nonce-gap',
  }
}

function foreseeFees(tx: CompleteTransaction, { baseFee }: SenderFacts): Consequence {
  if (tx.feeCap < baseFee) {
    return {
      verdict: 'waits',
      text: `The fee cap is below the base fee of ${formatGwei(baseFee)}: it waits in the mempool until the base fee falls to it.`,
    }
  }
  const room = tx.feeCap - baseFee
  const tip = tx.tip < room ? tx.tip : room
  return {
    verdict: 'goes',
    text:
      `It pays the base fee of ${formatGwei(baseFee)} and a tip of ${formatGwei(tip)} per gas. ` +
      'Of what waits, the highest tip goes first.',
  }
}

function foreseeCost(tx: CompleteTransaction, { balance }: SenderFacts, copies: number): Consequence {
  const most = (tx.gas * tx.feeCap + tx.value) * BigInt(copies)
  if (most > balance) {
    return {
      verdict: 'refused',
      text: `It may cost ${formatEth(most, 6)}, and the sender has ${formatEth(balance)}: the node will say “insufficient funds for gas * price + value”.`,
    }
  }
  return { verdict: 'goes', text: `It costs ${formatEth(most, 9)} at the most, the value included.` }
}
