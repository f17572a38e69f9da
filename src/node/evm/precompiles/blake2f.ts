import type { PrecompileFunc } from '@ethereumjs/evm'
import { Blake2bRounds, compressBlake2b } from '#engine/blake2b.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { Deferral } from './deferral.ts'
import { failedPrecompile } from './failed-precompile.ts'

/** Rounds between two looks at the clock: a few milliseconds. */
const ROUNDS_PER_CHECKPOINT = 65_536
const INPUT_BYTES = 213
const ROUNDS_BYTES = 4
const ROUND_GAS = 1n

/**
 * The compression function of BLAKE2b with any number of rounds, which are deferred if they are many. Input: 4 bytes
 * of rounds, 64 of state, 128 of message, 16 of offset, all but the first little-endian, and whether it is the last block.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-152 | EIP-152}
 */
export function deferredBlake2f(deferral: Deferral): PrecompileFunc {
  return ({ data, gasLimit }) => {
    const isFinal = data[INPUT_BYTES - 1]
    if (data.length !== INPUT_BYTES || (isFinal !== 0 && isFinal !== 1)) {
      return failedPrecompile('OUT_OF_RANGE', gasLimit)
    }
    const rounds = bigEndian(data)
    const gas = BigInt(rounds) * ROUND_GAS
    if (gas > gasLimit) return failedPrecompile('OUT_OF_GAS', gasLimit)
    const returnValue =
      rounds > ROUNDS_PER_CHECKPOINT ? deferral.defer((guard) => compress(data, rounds, guard)) : compressBlake2b(data)
    return { executionGasUsed: gas, returnValue }
  }
}

/** The number that is in the first four bytes. */
function bigEndian(data: Uint8Array): number {
  let value = 0
  for (let i = 0; i < ROUNDS_BYTES; i++) value = value * 256 + (data[i] as number)
  return value
}

async function compress(input: Uint8Array, rounds: number, guard: ExecutionGuard): Promise<Uint8Array> {
  const work = new Blake2bRounds()
  work.begin(input)
  for (let done = 0; done < rounds; done += ROUNDS_PER_CHECKPOINT) {
    await guard.checkpoint()
    work.mix(done, Math.min(rounds, done + ROUNDS_PER_CHECKPOINT))
  }
  return work.result()
}
