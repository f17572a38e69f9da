import auction from './examples/Auction.sol?raw'
import counter from './examples/Counter.sol?raw'
import refusals from './examples/Refusals.sol?raw'
import token from './examples/Token.sol?raw'

/** An example contract. */
export interface Example {
  readonly title: string
  /** Its subject, in a sentence or two. */
  readonly about: string
  readonly source: string
  /** Sample arguments for its constructor. */
  readonly constructorArgs?: readonly string[]
}

export const FIRST_EXAMPLE: Example = {
  title: 'Counter',
  about: 'A number on the chain, with one function that reads it and two that change it.',
  source: counter,
}

export const EXAMPLES: readonly Example[] = [
  FIRST_EXAMPLE,
  {
    title: 'Token (ERC-20)',
    about: 'A token: who owns how much of it, by the standard that wallets and exchanges know.',
    source: token,
    constructorArgs: ['Blink', 'BLK', '1000000000000000000000'],
  },
  {
    title: 'Auction',
    about:
      'A bid must beat the one before it, so a bidder has to know that one, and a chain that shows only sealed blocks shows a price that may be a whole block old. ' +
      'Here each bid is pre-confirmed within 200 ms, in an order that stays: many bidders can answer each other within one block.',
    source: auction,
    constructorArgs: ['600'],
  },
  {
    title: 'Refusals',
    about: 'Three ways in which a contract says no: an error with values, a reason in words, and a panic.',
    source: refusals,
  },
]

/** The example with exactly this text. */
export function exampleOf(source: string): Example | undefined {
  return EXAMPLES.find((example) => example.source === source)
}
