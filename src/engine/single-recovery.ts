import { invariant } from '#primitives/invariant.ts'
import { wasm } from './assembly/secp256k1/index.ts?wasm'
import { KeyRecovery } from './key-recovery.ts'

const created = await KeyRecovery.create(wasm)
invariant(created, 'this machine runs no WebAssembly of 2017')

/** The fastest method for one signature, which also inverts scalars. */
export const singleRecovery: KeyRecovery = created
