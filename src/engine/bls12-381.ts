import { wasm } from './assembly/curves/index.ts?wide-wasm'
import { CurveModule } from './curve-module.ts'
import { G1_ISOGENY } from './g1-isogeny.ts'
import { g2Isogeny } from './g2-isogeny.ts'
import { compileWasm, isValidWasm, type WasmModule } from './web-assembly.ts'

const SEED = 0xd201000000010000n

const P = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn

const PARAMETERS = {
  p: P,
  words: 6,
  seed: SEED,
  loop: SEED,
  beta: 0x5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffen,
  isogeny: G1_ISOGENY,
  isogeny2: g2Isogeny(P),
} as const

let compiled: Promise<WasmModule> | undefined

/** BLS12-381 in WebAssembly; `undefined` if this machine lacks relaxed SIMD. */
export async function createBls12(): Promise<CurveModule | undefined> {
  if (!isValidWasm(wasm)) return undefined
  compiled ??= compileWasm(wasm)
  return CurveModule.create(await compiled, PARAMETERS)
}
