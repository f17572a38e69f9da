import { type Common, createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import type { KZG } from '@ethereumjs/util'
import type { CurveModule } from '#engine/curve-module.ts'
import { bytesToBigInt } from '#primitives/bytes.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { recoverPublicKey } from '../../crypto/recovery.ts'
import type { HardforkName } from '../../spec/rules.ts'
import { verifyKzgProof, verifyKzgProofFast } from './kzg.ts'

/** The chain configuration for @ethereumjs/evm, with this project's cryptography. */
export function createCommon(chainId: number, hardfork: HardforkName): Common {
  return createCustomCommon({ chainId, name: 'blinknet' }, Mainnet, {
    hardfork: Hardfork[hardfork],
    customCrypto: {
      keccak256,
      kzg: new KzgVerifier() as unknown as KZG,
      ecrecover(digest, v, r, s) {
        if (v !== 27n && v !== 28n) throw new Error('v is neither 27 nor 28')
        const signature = { r: bytesToBigInt(r), s: bytesToBigInt(s), yParity: v === 27n ? 0 : 1 } as const
        const key = recoverPublicKey(digest, signature)
        if (!key) throw new Error('no public key fits the signature')
        return key
      },
    },
  })
}

/** This chain has no blobs: KZG is only used by the precompile. */
export class KzgVerifier {
  /** BLS12-381 in WebAssembly, for the next proof. */
  curve: CurveModule | undefined

  verifyProof(commitment: string, z: string, y: string, proof: string): boolean {
    const { curve } = this
    return curve ? verifyKzgProofFast(curve, commitment, z, y, proof) : verifyKzgProof(commitment, z, y, proof)
  }
}
