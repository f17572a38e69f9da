import { invariant } from '#primitives/invariant.ts'
import { wasm } from './assembly/secp256k1/index.ts?wasm'
import { KeyRecovery } from './key-recovery.ts'

let made: KeyRecovery | undefined

/**
 * The fastest method for one signature, which also inverts scalars. It is made at its first use: a chain starts some
 * milliseconds sooner without it.
 */
export function singleRecovery(): KeyRecovery {
  made ??= KeyRecovery.create(wasm)
  invariant(made, 'this machine runs no WebAssembly of 2017')
  return made
}
