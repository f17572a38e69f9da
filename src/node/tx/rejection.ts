import { toQuantity } from '#primitives/hex.ts'

/** Why a transaction was refused: one for each message of `eth_sendRawTransaction`. */
export type TxRejection =
  | 'too-short'
  | 'type-not-supported'
  | 'invalid-rlp'
  | 'invalid-signature'
  | 'not-replay-protected'
  | 'already-known'
  | 'oversized'
  | 'initcode-too-large'
  | 'gas-over-cap'
  | 'gas-over-block-limit'
  | 'tip-over-fee-cap'
  | 'wrong-chain'
  | 'nonce-max'
  | 'intrinsic-gas-too-low'
  | 'floor-gas-too-low'
  | 'no-authorizations'
  | 'nonce-too-low'
  | 'insufficient-funds'
  | 'pool-full'
  | 'in-flight-limit'
  | 'gapped-nonce'
  | 'authority-reserved'
  | 'replacement-underpriced'

/** For a sender that counted its nonce at `latest`, as `cast send` does. */
export const COUNT_AT_PENDING =
  'transactions of this account are pre-confirmed, and "latest" does not count them: count at "pending", or call the address with /?latest=preconfirmed'

/** The transaction was refused. Branch on `code`; `message` is geth's, word for word. */
export class TxRejectedError extends Error {
  override readonly name = 'TxRejectedError'
  readonly code: TxRejection
  /** Quantities in `0x` hex that explain the message, and a sentence of what to do; `undefined` without both. */
  readonly data: Readonly<Record<string, string>> | undefined

  constructor(code: TxRejection, message: string, data?: Readonly<Record<string, bigint | number>>, hint?: string) {
    super(message)
    this.code = code
    const entries: [string, string][] = Object.entries(data ?? {}).map(([name, value]) => [name, toQuantity(value)])
    if (hint !== undefined) entries.push(['hint', hint])
    if (data || hint !== undefined) this.data = Object.fromEntries(entries)
  }
}
