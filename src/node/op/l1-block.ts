import { bigIntToBytes, bytesToBigInt, concatBytes, padLeft } from '#primitives/bytes.ts'
import { type Address, type Hash, toWord } from '#primitives/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { BlockEnv } from '../evm/block-env.ts'
import type { L1Charge, Rollup } from '../evm/rollup.ts'
import type { WorldState } from '../state/world-state.ts'
import { fastLzLength } from './fastlz.ts'

/** What the chain knows of its L1; its source is `L1Block.sol`. */
export const L1_BLOCK: Address = '0x4200000000000000000000000000000000000015'

const SLOT = {
  /** Number in the lowest 8 bytes, timestamp above it. */
  place: toWord(0),
  baseFee: toWord(1),
  hash: toWord(2),
  /** Sequence number in the lowest 8 bytes, above it 4 bytes for each of the scalars of blob base fee and base fee. */
  scalars: toWord(3),
  blobBaseFee: toWord(7),
  /** Constant in the lowest 8 bytes, above it 4 bytes for the scalar. */
  operatorFee: toWord(8),
} as const

/** Seconds from one block of L1 to the next. */
const L1_BLOCK_SECONDS = 12n
const MAX_UINT64 = 2n ** 64n - 1n

const MILLION = 1_000_000n
const NON_ZERO_BYTE_GAS = 16n
/** The size by Brotli, estimated from the size by FastLZ; in millionths of a byte. */
const INTERCEPT = -42_585_600n
const SLOPE = 836_500n
const SMALLEST = 100n * MILLION

/** The scalars of OP Mainnet, an L1 with a base fee of 20 gwei, a blob base fee of 1 gwei, and no fee for the operator. */
export const L1_STORAGE: Readonly<Record<Hash, Hash>> = {
  [SLOT.baseFee]: toWord(20_000_000_000n),
  [SLOT.scalars]: toWord((5_227n << 96n) | (1_014_213n << 64n)),
  [SLOT.blobBaseFee]: toWord(1_000_000_000n),
}

/**
 * The fees of Fjord and Isthmus, by the values in L1Block's storage, and an L1 of which the chain knows a block each 12 seconds.
 *
 * @param standsStill - Whether L1Block is another chain's and stays as it is, on a fork.
 * @see {@link https://specs.optimism.io/protocol/fjord/exec-engine.html | Fjord}
 * @see {@link https://specs.optimism.io/protocol/isthmus/exec-engine.html | Isthmus}
 */
export function createRollup(standsStill: boolean): Rollup {
  return {
    vaults: {
      baseFee: '0x4200000000000000000000000000000000000019',
      l1Fee: '0x420000000000000000000000000000000000001a',
      operatorFee: '0x420000000000000000000000000000000000001b',
    },
    chargeOf(state, { raw }): L1Charge {
      const read = (slot: Hash) => bytesToBigInt(state.storage(L1_BLOCK, slot))
      const scalars = read(SLOT.scalars)
      const operator = read(SLOT.operatorFee)
      const l1 = {
        baseFee: read(SLOT.baseFee),
        blobBaseFee: read(SLOT.blobBaseFee),
        baseFeeScalar: BigInt.asUintN(32, scalars >> 96n),
        blobBaseFeeScalar: BigInt.asUintN(32, scalars >> 64n),
      }
      const size = estimatedSize(fastLzLength(raw))
      const perByte = l1.baseFeeScalar * NON_ZERO_BYTE_GAS * l1.baseFee + l1.blobBaseFeeScalar * l1.blobBaseFee
      return {
        fee: (size * perByte) / (MILLION * MILLION),
        gasUsed: (size * NON_ZERO_BYTE_GAS) / MILLION,
        ...l1,
        operatorFeeScalar: BigInt.asUintN(32, operator >> 64n),
        operatorFeeConstant: BigInt.asUintN(64, operator),
      }
    },
    operatorFee: ({ operatorFeeScalar, operatorFeeConstant }, gas) =>
      (gas * operatorFeeScalar) / MILLION + operatorFeeConstant,
    beginBlock(state, env) {
      if (!standsStill) advance(state, env)
    },
  }
}

/** In millionths of a byte. */
function estimatedSize(compressed: number): bigint {
  const size = INTERCEPT + SLOPE * BigInt(compressed)
  return size < SMALLEST ? SMALLEST : size
}

/**
 * Takes the newest block that an L1 would have. On an OP chain a deposit in each block says so; here nothing but the contract
 * shows it, and its fees stay as they are.
 */
function advance(state: WorldState, { timestamp }: BlockEnv): void {
  // Somebody may have removed it.
  if (!state.account(L1_BLOCK)) return
  const read = (slot: Hash) => bytesToBigInt(state.storage(L1_BLOCK, slot))
  const write = (slot: Hash, value: bigint) => state.setStorage(L1_BLOCK, slot, bigIntToBytes(value))
  const place = read(SLOT.place)
  const scalars = read(SLOT.scalars)
  const known = { number: BigInt.asUintN(64, place), timestamp: BigInt.asUintN(64, place >> 64n) }
  const now = BigInt(timestamp)
  const passed = known.timestamp === 0n ? now % L1_BLOCK_SECONDS : now - known.timestamp
  const isFirst = known.timestamp === 0n
  const blocks = isFirst ? 1n : passed / L1_BLOCK_SECONDS
  if (passed < 0n || blocks === 0n) {
    const sequenceNumber = BigInt.asUintN(64, scalars)
    if (sequenceNumber < MAX_UINT64) write(SLOT.scalars, scalars + 1n)
    return
  }
  const number = BigInt.asUintN(64, known.number + blocks)
  const next = isFirst ? now - passed : known.timestamp + blocks * L1_BLOCK_SECONDS
  write(SLOT.place, (next << 64n) | number)
  write(SLOT.hash, bytesToBigInt(keccak256(concatBytes(wordOf(read(SLOT.hash)), wordOf(number)))))
  write(SLOT.scalars, (scalars >> 64n) << 64n)
}

const wordOf = (value: bigint) => padLeft(bigIntToBytes(value), 32)
