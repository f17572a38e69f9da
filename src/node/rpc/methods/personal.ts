import { bytesToBigInt } from '#primitives/bytes.ts'
import { hexToBytes } from '#primitives/hex.ts'
import { utf8Bytes } from '#primitives/utf8.ts'
import { impersonatedSigner } from '../../crypto/impersonated-signature.ts'
import { recoverAddress } from '../../crypto/recovery.ts'
import type { RecoverableSignature } from '../../crypto/secp256k1.ts'
import { defineMethod, type MethodTable } from '../define-method.ts'
import { RpcRefusedError } from '../errors.ts'
import { address, parseData } from '../params/hex-params.ts'
import { cannotUnmarshal, jsonType, optional, type Param, ParamError } from '../params/param.ts'
import { signAs } from '../sending/signer.ts'
import { personalDigest } from './eth/signing.ts'

const SIGNATURE_BYTES = 65

/** A message to sign: bytes in hex; any other text means its UTF-8 bytes, as in wallets. */
const message: Param<Uint8Array> = {
  parse(value) {
    if (typeof value !== 'string') throw cannotUnmarshal(jsonType(value), 'value of type string')
    return /^0x([0-9a-f]{2})*$/i.test(value) ? hexToBytes(value.toLowerCase()) : utf8Bytes(value)
  },
}

/** A signature in the form of wallets: r ‖ s ‖ v. */
const signature: Param<RecoverableSignature> = {
  parse(value) {
    const bytes = parseData(value)
    if (bytes.length !== SIGNATURE_BYTES) throw new ParamError(`signature must be ${SIGNATURE_BYTES} bytes long`)
    const v = bytes[SIGNATURE_BYTES - 1]
    if (v !== 27 && v !== 28) throw new ParamError('invalid Ethereum signature (V is not 27 or 28)')
    const [r, s] = [bytesToBigInt(bytes.subarray(0, 32)), bytesToBigInt(bytes.subarray(32, 64))]
    return { r, s, yParity: v === 27 ? 0 : 1 }
  },
}

/** Ignored: the development accounts have no password. */
const password: Param<undefined> = { parse: () => undefined }

/** Personal messages (EIP-191). */
export const PERSONAL_METHODS = {
  /** Signs a message, bytes or text, as a personal message. */
  personal_sign: defineMethod([message, address, optional(password, undefined)], (context, bytes, account, _password) =>
    signAs(context, account, personalDigest(bytes)),
  ),

  /** Recovers the signer of a personal message. */
  personal_ecRecover: defineMethod([message, signature], ({ spec }, bytes, signed) => {
    const digest = personalDigest(bytes)
    const account = spec.impersonatedSignatures ? impersonatedSigner(digest, signed) : undefined
    const signer = account ?? recoverAddress(digest, signed)
    if (signer === undefined) throw new RpcRefusedError('server', 'recovery failed')
    return signer
  }),
} satisfies Partial<MethodTable>
