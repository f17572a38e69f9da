import { invariant } from '#primitives/invariant.ts'
import { wasm as fusedWasm } from './assembly/secp256k1/index.ts?fused-wasm'
import { wasm } from './assembly/secp256k1/index.ts?wasm'
import { KeyRecovery, type Signed } from './key-recovery.ts'

const scalar = await KeyRecovery.create(wasm)
/** Two signatures at a time, where the machine can. */
const fused = await KeyRecovery.create(fusedWasm)

/**
 * Public keys of signatures: 64 bytes (x ‖ y) each, `undefined` where no key fits.
 *
 * @param recoverExceptional - As for {@link KeyRecovery.recover}.
 */
export function recoverKeys(
  signatures: readonly Signed[],
  recoverExceptional: (signature: Signed) => Uint8Array | undefined,
): (Uint8Array | undefined)[] {
  const recovery = signatures.length > 1 && fused ? fused : scalar
  invariant(recovery, 'this machine runs no WebAssembly of 2017')
  return recovery.recover(signatures, recoverExceptional)
}
