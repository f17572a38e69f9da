/** The precompiles that run here because they take less time than a call to the host. */

import { ripemd160 } from '../hashes/ripemd160.ts'
import { sha256 } from '../hashes/sha256.ts'
import {
  IDENTITY_GAS,
  IDENTITY_WORD_GAS,
  RIPEMD160_GAS,
  RIPEMD160_WORD_GAS,
  SHA256_GAS,
  SHA256_WORD_GAS,
} from '../rules/gas.ts'
import { OUT_OF_GAS, setHalt } from '../rules/halt.ts'
import { frame } from './frame.ts'
import { HALTED, leave, SUCCEEDED } from './lifecycle.ts'
import { perWord } from './memory.ts'

const SHA256: u32 = 2
const RIPEMD160: u32 = 3
const IDENTITY: u32 = 4

/** Bytes hashed in about a millisecond; longer inputs go to the host, which pauses in between. */
const MAX_HASHED: usize = 131072

/** A hash as a word, with zeros in front. */
const HASH: usize = memory.data(32, 8)

/** Whether the frame's precompile is one of them. */
export function isRunHere(): bool {
  const number = frame.precompile
  return number == IDENTITY || ((number == SHA256 || number == RIPEMD160) && frame.inputSize <= MAX_HASHED)
}

/** The gas of the precompile that the frame calls. */
export function price(): i64 {
  const size = frame.inputSize as u64
  if (frame.precompile == SHA256) return SHA256_GAS + perWord(size, SHA256_WORD_GAS)
  if (frame.precompile == RIPEMD160) return RIPEMD160_GAS + perWord(size, RIPEMD160_WORD_GAS)
  return IDENTITY_GAS + perWord(size, IDENTITY_WORD_GAS)
}

/** Runs it. @param cost - Its {@link price}. @returns As {@link leave}. */
export function runPrecompile(cost: i64): bool {
  const callee = frame
  callee.gas -= cost
  if (callee.gas < 0) {
    setHalt(OUT_OF_GAS)
    return leave(HALTED, 0, 0)
  }
  if (callee.precompile == IDENTITY) return leave(SUCCEEDED, callee.input, callee.inputSize)
  if (callee.precompile == SHA256) {
    sha256(callee.input, callee.inputSize, HASH)
  } else {
    memory.fill(HASH, 0, 12)
    ripemd160(callee.input, callee.inputSize, HASH + 12)
  }
  return leave(SUCCEEDED, HASH, 32)
}
