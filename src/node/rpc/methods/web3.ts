import { keccak256Hex } from '../../crypto/keccak.ts'
import { defineMethod, type MethodTable } from '../define-method.ts'
import { data } from '../params/hex-params.ts'

/** The node's name, and keccak-256. */
export const WEB3_METHODS = {
  web3_clientVersion: defineMethod([], ({ spec }) => spec.clientVersion),

  /** Keccak256 of bytes. */
  web3_sha3: defineMethod([data], (_, bytes) => keccak256Hex(bytes)),
} satisfies Partial<MethodTable>
