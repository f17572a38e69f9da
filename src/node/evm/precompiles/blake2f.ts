import type { PrecompileFunc } from '@ethereumjs/evm'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { Blake2bRounds } from './blake2b-rounds.ts'
import type { Deferral } from './deferral.ts'
import { failedPrecompile } from './failed-precompile.ts'

/** Rounds between two looks at the clock: a few milliseconds. */
const ROUNDS_PER_CHECKPOINT = 65_536
const INPUT_BYTES = 213

/**
 * The compression function of BLAKE2b with any number of rounds, which are deferred if they are many. Input: 4 bytes
 * of rounds, 64 of state, 128 of message, 16 of offset, all but the first little-endian, and whether it is the last block.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-152 | EIP-152}
 */
export function deferredBlake2f(deferral: Deferral): PrecompileFunc {
  return ({ data, gasLimit, common }) => {
    const isFinal = data[INPUT_BYTES - 1]
    if (data.length !== INPUT_BYTES || (isFinal !== 0 && isFinal !== 1)) {
      return failedPrecompile('OUT_OF_RANGE', gasLimit)
    }
    const rounds = new DataView(data.buffer, data.byteOffset).getUint32(0)
    const gas = BigInt(rounds) * common.param('blake2RoundGas')
    if (gas > gasLimit) return failedPrecompile('OUT_OF_GAS', gasLimit)
    const work = new Blake2bRounds(data.subarray(4, 68), data.subarray(68, 196), data.subarray(196, 212), isFinal === 1)
    if (rounds > ROUNDS_PER_CHECKPOINT) {
      return { executionGasUsed: gas, returnValue: deferral.defer((guard) => compress(work, rounds, guard)) }
    }
    work.mix(0, rounds)
    return { executionGasUsed: gas, returnValue: work.result() }
  }
}

async function compress(work: Blake2bRounds, rounds: number, guard: ExecutionGuard): Promise<Uint8Array> {
  for (let done = 0; done < rounds; done += ROUNDS_PER_CHECKPOINT) {
    await guard.checkpoint()
    work.mix(done, Math.min(rounds, done + ROUNDS_PER_CHECKPOINT))
  }
  return work.result()
}
