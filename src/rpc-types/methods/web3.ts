import type { Hash, Hex } from '#primitives/hex.ts'
import { type FactsOf, NOTHING } from '#rpc-types/method.ts'

/** The node's name, and keccak-256. */
export interface Web3Methods {
  /** Name and version of the node. */
  web3_clientVersion: { params: []; result: string }
  /** keccak256 of bytes. */
  web3_sha3: { params: [data: Hex]; result: Hash }
}

export const WEB3_FACTS = {
  web3_clientVersion: { effect: 'reads', subject: NOTHING, guest: 'call' },
  web3_sha3: { effect: 'reads', subject: NOTHING, guest: 'call' },
} as const satisfies FactsOf<Web3Methods>
