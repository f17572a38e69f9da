import type { Address, Bytes65 } from '#primitives/hex.ts'
import { type FactsOf, NOTHING } from '#rpc-types/method.ts'

/** Personal messages (EIP-191). */
export interface PersonalMethods {
  /** As `eth_sign` with its parameters swapped; a message without `0x` is UTF-8. */
  personal_sign: { params: [message: string, account: Address, password?: string]; result: Bytes65 }
  /** The account that signed the personal message. */
  personal_ecRecover: { params: [message: string, signature: Bytes65]; result: Address }
}

export const PERSONAL_FACTS = {
  personal_sign: {
    effect: 'signs',
    subject: NOTHING,
    guest: 'never',
    approval: { asks: 'message', account: 1, message: 0 },
  },
  personal_ecRecover: { effect: 'reads', subject: NOTHING, guest: 'never' },
} as const satisfies FactsOf<PersonalMethods>
