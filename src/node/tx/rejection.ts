import { type Hex, toQuantity } from '#primitives/hex.ts'

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

/** The transaction was refused. Branch on `code`; `message` is geth's, word for word. */
export class TxRejectedError extends Error {
  override readonly name = 'TxRejectedError'
  readonly code: TxRejection
  /** Quantities in `0x` hex that explain the message; `undefined` if there are none. */
  readonly data: Readonly<Record<string, Hex>> | undefined

  constructor(code: TxRejection, message: string, data?: Readonly<Record<string, bigint | number>>) {
    super(message)
    this.code = code
    this.data = data && Object.fromEntries(Object.entries(data).map(([name, value]) => [name, toQuantity(value)]))
  }
}
