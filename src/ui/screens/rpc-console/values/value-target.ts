/** Fields whose 32 bytes are the hash of a transaction. */
const TRANSACTION = /^(transactionHash|txHash)$/
const BLOCK = /^(blockHash|parentHash)$/
const NUMBER = /^(blockNumber|number)$/

/**
 * The screen of what a value of an answer names: an account, a transaction or a block; `undefined` if it names none. The
 * same 32 bytes may be the hash of anything, so its field decides; the palette finds the others.
 *
 * @param text - The value as JSON, with its quotes.
 * @param name - Name of its field.
 */
export function targetOf(text: string, name: string | undefined): string | undefined {
  const value = text.slice(1, -1)
  if (/^0x[0-9a-f]{40}$/i.test(value)) return `/address/${value.toLowerCase()}`
  if (name === undefined) return undefined
  if (/^0x[0-9a-f]{64}$/.test(value) && !/^0x0*$/.test(value)) {
    if (TRANSACTION.test(name)) return `/tx/${value}`
    if (BLOCK.test(name)) return `/block/${value}`
  }
  return NUMBER.test(name) && /^0x[0-9a-f]{1,13}$/.test(value) ? `/block/${Number(value)}` : undefined
}
