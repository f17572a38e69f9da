import { wasm as fusedWasm } from './assembly/secp256k1/index.ts?fused-wasm'
import { KeyRecovery } from './key-recovery.ts'
import { singleRecovery } from './single-recovery.ts'

/** Two signatures at a time; `null` if the machine does not support it, `undefined` until its first use. */
let fused: KeyRecovery | null | undefined

/** The fastest method for this number of signatures. @param count - At least one. */
export function keyRecoveryFor(count: number): KeyRecovery {
  if (count === 1) return singleRecovery()
  // Once it is known that there is none, it is not asked again: that takes longer than a group of signatures.
  if (fused === undefined) fused = KeyRecovery.create(fusedWasm) ?? null
  return fused ?? singleRecovery()
}
