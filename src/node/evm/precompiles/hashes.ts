import type { PrecompileFunc } from '@ethereumjs/evm'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { padLeft } from '#primitives/bytes.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { Deferral } from './deferral.ts'
import { failedPrecompile } from './failed-precompile.ts'

/** Bytes between two looks at the clock: a few milliseconds. */
const BYTES_PER_CHECKPOINT = 131_072

type HashFunction = typeof sha256 | typeof ripemd160
type GasParam = 'sha256Gas' | 'sha256WordGas' | 'ripemd160Gas' | 'ripemd160WordGas'

/** SHA-256, deferred. */
export const deferredSha256 = (deferral: Deferral) => deferredHash(sha256, 'sha256Gas', 'sha256WordGas', deferral)

/** RIPEMD-160 in a word, deferred. */
export const deferredRipemd160 = (deferral: Deferral) =>
  deferredHash(ripemd160, 'ripemd160Gas', 'ripemd160WordGas', deferral)

function deferredHash(hash: HashFunction, baseGas: GasParam, wordGas: GasParam, deferral: Deferral): PrecompileFunc {
  return ({ data, gasLimit, common }) => {
    const words = BigInt(Math.ceil(data.length / 32))
    const gas = common.param(baseGas) + words * common.param(wordGas)
    if (gas > gasLimit) return failedPrecompile('OUT_OF_GAS', gasLimit)
    const returnValue = deferral.defer(async (guard) => padLeft(await digest(hash, data, guard), 32))
    return { executionGasUsed: gas, returnValue }
  }
}

async function digest(hash: HashFunction, data: Uint8Array, guard: ExecutionGuard): Promise<Uint8Array> {
  const state = hash.create()
  for (let at = 0; at < data.length; at += BYTES_PER_CHECKPOINT) {
    await guard.checkpoint()
    state.update(data.subarray(at, at + BYTES_PER_CHECKPOINT))
  }
  return state.digest()
}
