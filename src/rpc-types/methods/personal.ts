import type { Address, Bytes65 } from '#primitives/hex.ts'
import type { RepeatableOf } from '#rpc-types/method.ts'

/** Personal messages (EIP-191). */
export interface PersonalMethods {
  /** As `eth_sign` with its parameters swapped; a message without `0x` is UTF-8. */
  personal_sign: { params: [message: string, account: Address, password?: string]; result: Bytes65 }
  /** The account that signed the personal message. */
  personal_ecRecover: { params: [message: string, signature: Bytes65]; result: Address }
}

export const PERSONAL_REPEATABLE: RepeatableOf<PersonalMethods> = {
  personal_sign: true,
  personal_ecRecover: true,
}
