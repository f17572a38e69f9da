import { stringToBytes } from 'viem/utils'
import { bytesToBigInt } from '#primitives/bytes.ts'
import { hexToBytes } from '#primitives/hex.ts'
import type { RecoverableSignature } from '../../../crypto/secp256k1.ts'
import { parseData } from '../../params/hex-params.ts'
import { cannotUnmarshal, jsonType } from '../../params/json-type.ts'
import { type Param, ParamError } from '../../params/param.ts'

const SIGNATURE_BYTES = 65

/** A message to be signed: bytes in hex; a text that is none stands for its UTF-8, as in wallets. */
export const message: Param<Uint8Array> = {
  parse(value) {
    if (typeof value !== 'string') throw cannotUnmarshal(jsonType(value), 'value of type string')
    return /^0x([0-9a-f]{2})*$/i.test(value) ? hexToBytes(value.toLowerCase()) : stringToBytes(value)
  },
}

/** A signature as wallets make it: r ‖ s ‖ v. */
export const signature: Param<RecoverableSignature> = {
  parse(value) {
    const bytes = parseData(value)
    if (bytes.length !== SIGNATURE_BYTES) throw new ParamError(`signature must be ${SIGNATURE_BYTES} bytes long`)
    const v = bytes[SIGNATURE_BYTES - 1]
    if (v !== 27 && v !== 28) throw new ParamError('invalid Ethereum signature (V is not 27 or 28)')
    const [r, s] = [bytesToBigInt(bytes.subarray(0, 32)), bytesToBigInt(bytes.subarray(32, 64))]
    return { r, s, yParity: v === 27 ? 0 : 1 }
  },
}
