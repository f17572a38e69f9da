import { invariant } from '#primitives/invariant.ts'
import { wasm as fusedWasm } from './assembly/secp256k1/index.ts?fused-wasm'
import { wasm } from './assembly/secp256k1/index.ts?wasm'
import { KeyRecovery } from './key-recovery.ts'

const scalar = await KeyRecovery.create(wasm)
/** Two signatures at a time, if the machine supports it. */
const fused = await KeyRecovery.create(fusedWasm)

/** The fastest method for this number of signatures. @param count - At least one. */
export function keyRecoveryFor(count: number): KeyRecovery {
  const recovery = count > 1 && fused ? fused : scalar
  invariant(recovery, 'this machine runs no WebAssembly of 2017')
  return recovery
}
