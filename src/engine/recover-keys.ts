import { wasm as fusedWasm } from './assembly/secp256k1/index.ts?fused-wasm'
import { KeyRecovery } from './key-recovery.ts'
import { singleRecovery } from './single-recovery.ts'

/** Two signatures at a time, if the machine supports it. */
const fused = await KeyRecovery.create(fusedWasm)

/** The fastest method for this number of signatures. @param count - At least one. */
export function keyRecoveryFor(count: number): KeyRecovery {
  return count > 1 && fused ? fused : singleRecovery
}
