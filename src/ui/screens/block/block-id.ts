import type { Hash } from '#primitives/hex.ts'

export type BlockId =
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'hash'; readonly hash: Hash }
  | { readonly kind: 'tag'; readonly tag: 'latest' | 'pending' }

/** What the last part of `/block/…` names; `undefined` if it is nothing that a block is called by. */
export function parseBlockId(text: string): BlockId | undefined {
  if (text === 'latest' || text === 'pending') return { kind: 'tag', tag: text }
  if (/^0x[0-9a-f]{64}$/i.test(text)) return { kind: 'hash', hash: text.toLowerCase() as Hash }
  const number = /^\d{1,15}$/.test(text) ? Number(text) : undefined
  return number === undefined ? undefined : { kind: 'number', number }
}
