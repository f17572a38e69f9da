import { keccak256Hex } from '#node/crypto/keccak.ts'
import type { BlockEnv } from '#node/evm/block-env.ts'
import type { HardforkName } from '#node/spec/rules.ts'
import { EMPTY_CODE_HASH, emptyState } from '#node/state/state-snapshot.ts'
import { WorldState } from '#node/state/world-state.ts'
import { bigIntToBytes } from '#primitives/bytes.ts'
import { type Address, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import type { FixtureAlloc, FixtureEnv } from './fixture.ts'

/** How many earlier block hashes code can read. */
const REMEMBERED_BLOCKS = 256
/** BLOB_BASE_FEE_UPDATE_FRACTION of EIP-4844 and of EIP-7691. */
const BLOB_FEE_FRACTION: Readonly<Record<HardforkName, bigint>> = {
  Cancun: 3_338_477n,
  Prague: 5_007_716n,
  Osaka: 5_007_716n,
}

/** The accounts of a fixture. */
export function readAlloc(alloc: FixtureAlloc): WorldState {
  const state = new WorldState(emptyState())
  for (const [key, { nonce, balance, code, storage }] of Object.entries(alloc)) {
    const address = key.toLowerCase() as Address
    state.setAccount(address, { nonce: BigInt(nonce), balance: BigInt(balance), codeHash: EMPTY_CODE_HASH })
    if (code !== '0x') state.setCode(address, hexToBytes(code))
    for (const [slot, value] of Object.entries(storage)) {
      state.setStorage(address, toWord(BigInt(slot)), bigIntToBytes(BigInt(value)))
    }
  }
  return state
}

/** The block of a fixture. */
export function readEnv(hardfork: HardforkName, env: FixtureEnv): BlockEnv {
  const number = Number(env.currentNumber)
  return {
    number,
    timestamp: Number(env.currentTimestamp),
    coinbase: env.currentCoinbase.toLowerCase() as Hex,
    prevRandao: toWord(BigInt(env.currentRandom)),
    gasLimit: BigInt(env.currentGasLimit),
    baseFee: BigInt(env.currentBaseFee),
    blobBaseFee: fakeExponential(BigInt(env.currentExcessBlobGas ?? 0), BLOB_FEE_FRACTION[hardfork]),
    // By convention of these tests, a block's hash is the hash of its number in decimal digits.
    blockHash: (block) =>
      block < number && block >= number - REMEMBERED_BLOCKS
        ? keccak256Hex(Uint8Array.from(String(block), (digit) => digit.charCodeAt(0)))
        : undefined,
  }
}

/** e^(numerator / denominator) by its series, as in EIP-4844. */
function fakeExponential(numerator: bigint, denominator: bigint): bigint {
  let sum = 0n
  let term = denominator
  for (let i = 1n; term > 0n; i++) {
    sum += term
    term = (term * numerator) / (denominator * i)
  }
  return sum / denominator
}
