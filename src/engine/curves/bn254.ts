import { wasm } from '../assembly/curves/index.ts?vector-wasm'
import { CurveModule } from './curve-module.ts'

/** P-256: of the field, of the group, and of the curve. */
export const P256 = {
  p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
  order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
}

const SEED = 4965661367192848881n

/** BN254 and P-256 in WebAssembly; `undefined` if this machine lacks relaxed SIMD. */
export const bn254: CurveModule | undefined = CurveModule.create(wasm, {
  p: 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n,
  words: 4,
  seed: SEED,
  loop: 6n * SEED + 2n,
  beta: 0x59e26bcea0d48bacd4f263f1acdb5c4f5763473177fffffen,
  other: P256,
})
