import { type Address, type Hash, type Hex, toWord } from '#primitives/hex.ts'
import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'

/** Most words in total, and most from one call or log. */
const MOST_WORDS = 2_000
const MOST_OF_ONE = 64
const WORD_DIGITS = 64

/**
 * Words from transactions and their logs that may be keys of mappings: senders, arguments, topics.
 *
 * @param receipts - Receipts of these or other transactions.
 */
export function wordsSeen(txs: readonly RpcTransaction[], receipts: readonly RpcReceipt[]): readonly Hash[] {
  const words = new Set<Hash>()
  const add = (word: Hash) => words.size < MOST_WORDS && words.add(word)
  const addAddress = (address: Address | null) => address && add(toWord(BigInt(address)))
  for (const { from, to, input } of txs) {
    addAddress(from)
    addAddress(to)
    for (const word of wordsOf(to === null ? '0x' : `0x${input.slice(10)}`)) add(word)
  }
  for (const { logs } of receipts) {
    for (const { topics, data } of logs) for (const word of [...topics.slice(1), ...wordsOf(data)]) add(word)
  }
  return [...words]
}

function wordsOf(data: Hex): Hash[] {
  const words: Hash[] = []
  for (let at = 2; at + WORD_DIGITS <= data.length && words.length < MOST_OF_ONE; at += WORD_DIGITS) {
    words.push(`0x${data.slice(at, at + WORD_DIGITS)}`)
  }
  return words
}
