import { wasm } from './assembly/curves/index.ts?vector-wasm'
import { CurveModule } from './curve-module.ts'
import { P256 } from './p256.ts'
import { compileWasm, isValidWasm, type WasmModule } from './web-assembly.ts'

const SEED = 4965661367192848881n

const PARAMETERS = {
  p: 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n,
  words: 4,
  seed: SEED,
  loop: 6n * SEED + 2n,
  beta: 0x59e26bcea0d48bacd4f263f1acdb5c4f5763473177fffffen,
  other: P256,
} as const

let compiled: Promise<WasmModule> | undefined

/** BN254 and P-256 in WebAssembly; `undefined` if this machine lacks relaxed SIMD. */
export async function createBn254(): Promise<CurveModule | undefined> {
  if (!isValidWasm(wasm)) return undefined
  compiled ??= compileWasm(wasm)
  return CurveModule.create(await compiled, PARAMETERS)
}
