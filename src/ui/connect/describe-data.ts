import type { Address, Hex } from '#primitives/hex.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatInteger } from '#ui/format/numbers.ts'

/** Digits of a selector, with `0x`. */
const SELECTOR = 10
/** Digits of an ABI word. */
const WORD = 64
const UNLIMITED = 2n ** 256n - 1n

interface KnownCall {
  readonly words: number
  describe(word: (at: number) => bigint): string
}

const addressOf = (word: bigint) => shortHex(`0x${word.toString(16).padStart(40, '0')}`)
const amountOf = (word: bigint) => (word === UNLIMITED ? 'an unlimited amount' : `${formatInteger(word)} units`)

/** The calls of ERC-20 that move tokens, or let others move them. */
const KNOWN: Readonly<Record<string, KnownCall>> = {
  '0xa9059cbb': {
    words: 2,
    describe: (word) => `Token transfer: ${amountOf(word(1))} to ${addressOf(word(0))}`,
  },
  '0x095ea7b3': {
    words: 2,
    describe: (word) => `Token approval: ${addressOf(word(0))} may take ${amountOf(word(1))}`,
  },
  '0x23b872dd': {
    words: 3,
    describe: (word) => `Token transfer: ${amountOf(word(2))} from ${addressOf(word(0))} to ${addressOf(word(1))}`,
  },
}

/** Describes a transaction's data as far as possible without the contract's ABI. */
export function describeData(to: Address | null, data: Hex): string | undefined {
  if (to === null)
    return `Deploys a contract: ${formatInteger((data.length - 2) / 2)} bytes of code, including the constructor`
  if (data === '0x') return undefined
  const selector = data.slice(0, SELECTOR).toLowerCase()
  const known = Object.hasOwn(KNOWN, selector) ? KNOWN[selector] : undefined
  if (known && data.length === SELECTOR + known.words * WORD) {
    return known.describe((at) => BigInt(`0x${data.slice(SELECTOR + at * WORD, SELECTOR + (at + 1) * WORD)}`))
  }
  return data.length >= SELECTOR ? `Calls the function with the selector ${selector}` : 'Sends data to the contract'
}
