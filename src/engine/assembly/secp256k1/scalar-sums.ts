/** Sums, differences and small multiples of numbers as `scalar-limbs.ts` has them. */
import { storeCarried } from './scalar-limbs.ts'

/**
 * The start value of differences, so that no limb becomes negative: 2^11 · p in limbs, of which each has given 32 to
 * the one below, where that is 2^34. So all are above 8 · (2^29 + 2^16), the most that is subtracted.
 */
const ROOM_0: u64 = 0x41fe17800
const ROOM_1: u64 = 0x41fffbfdf
const ROOM_2: u64 = 0x41fffffdf
const ROOM_3: u64 = 0x41fffffdf
const ROOM_4: u64 = 0x41fffffdf
const ROOM_5: u64 = 0x41fffffdf
const ROOM_6: u64 = 0x41fffffdf
const ROOM_7: u64 = 0x41fffffdf
const ROOM_8: u64 = 0x7ffffffdf

/** a + b. */
export function add(to: usize, a: usize, b: usize): void {
  storeCarried(
    to,
    <u64>load<u32>(a) + <u64>load<u32>(b),
    <u64>load<u32>(a, 4) + <u64>load<u32>(b, 4),
    <u64>load<u32>(a, 8) + <u64>load<u32>(b, 8),
    <u64>load<u32>(a, 12) + <u64>load<u32>(b, 12),
    <u64>load<u32>(a, 16) + <u64>load<u32>(b, 16),
    <u64>load<u32>(a, 20) + <u64>load<u32>(b, 20),
    <u64>load<u32>(a, 24) + <u64>load<u32>(b, 24),
    <u64>load<u32>(a, 28) + <u64>load<u32>(b, 28),
    <u64>load<u32>(a, 32) + <u64>load<u32>(b, 32),
  )
}

/** factor · a, for factors up to 8. */
export function scale(to: usize, a: usize, factor: u64): void {
  storeCarried(
    to,
    factor * <u64>load<u32>(a),
    factor * <u64>load<u32>(a, 4),
    factor * <u64>load<u32>(a, 8),
    factor * <u64>load<u32>(a, 12),
    factor * <u64>load<u32>(a, 16),
    factor * <u64>load<u32>(a, 20),
    factor * <u64>load<u32>(a, 24),
    factor * <u64>load<u32>(a, 28),
    factor * <u64>load<u32>(a, 32),
  )
}

/** −a. */
export function negate(to: usize, a: usize): void {
  storeCarried(
    to,
    ROOM_0 - <u64>load<u32>(a),
    ROOM_1 - <u64>load<u32>(a, 4),
    ROOM_2 - <u64>load<u32>(a, 8),
    ROOM_3 - <u64>load<u32>(a, 12),
    ROOM_4 - <u64>load<u32>(a, 16),
    ROOM_5 - <u64>load<u32>(a, 20),
    ROOM_6 - <u64>load<u32>(a, 24),
    ROOM_7 - <u64>load<u32>(a, 28),
    ROOM_8 - <u64>load<u32>(a, 32),
  )
}

/** a − factor · b, for factors up to 8. */
export function subtractScaled(to: usize, a: usize, b: usize, factor: u64): void {
  storeCarried(
    to,
    <u64>load<u32>(a) + ROOM_0 - factor * <u64>load<u32>(b),
    <u64>load<u32>(a, 4) + ROOM_1 - factor * <u64>load<u32>(b, 4),
    <u64>load<u32>(a, 8) + ROOM_2 - factor * <u64>load<u32>(b, 8),
    <u64>load<u32>(a, 12) + ROOM_3 - factor * <u64>load<u32>(b, 12),
    <u64>load<u32>(a, 16) + ROOM_4 - factor * <u64>load<u32>(b, 16),
    <u64>load<u32>(a, 20) + ROOM_5 - factor * <u64>load<u32>(b, 20),
    <u64>load<u32>(a, 24) + ROOM_6 - factor * <u64>load<u32>(b, 24),
    <u64>load<u32>(a, 28) + ROOM_7 - factor * <u64>load<u32>(b, 28),
    <u64>load<u32>(a, 32) + ROOM_8 - factor * <u64>load<u32>(b, 32),
  )
}

/** a − b − 2c. */
export function subtractBoth(to: usize, a: usize, b: usize, c: usize): void {
  storeCarried(
    to,
    <u64>load<u32>(a) + ROOM_0 - <u64>load<u32>(b) - ((<u64>load<u32>(c)) << 1),
    <u64>load<u32>(a, 4) + ROOM_1 - <u64>load<u32>(b, 4) - ((<u64>load<u32>(c, 4)) << 1),
    <u64>load<u32>(a, 8) + ROOM_2 - <u64>load<u32>(b, 8) - ((<u64>load<u32>(c, 8)) << 1),
    <u64>load<u32>(a, 12) + ROOM_3 - <u64>load<u32>(b, 12) - ((<u64>load<u32>(c, 12)) << 1),
    <u64>load<u32>(a, 16) + ROOM_4 - <u64>load<u32>(b, 16) - ((<u64>load<u32>(c, 16)) << 1),
    <u64>load<u32>(a, 20) + ROOM_5 - <u64>load<u32>(b, 20) - ((<u64>load<u32>(c, 20)) << 1),
    <u64>load<u32>(a, 24) + ROOM_6 - <u64>load<u32>(b, 24) - ((<u64>load<u32>(c, 24)) << 1),
    <u64>load<u32>(a, 28) + ROOM_7 - <u64>load<u32>(b, 28) - ((<u64>load<u32>(c, 28)) << 1),
    <u64>load<u32>(a, 32) + ROOM_8 - <u64>load<u32>(b, 32) - ((<u64>load<u32>(c, 32)) << 1),
  )
}

/** a − b − c. */
export function subtractTwo(to: usize, a: usize, b: usize, c: usize): void {
  storeCarried(
    to,
    <u64>load<u32>(a) + ROOM_0 - <u64>load<u32>(b) - <u64>load<u32>(c),
    <u64>load<u32>(a, 4) + ROOM_1 - <u64>load<u32>(b, 4) - <u64>load<u32>(c, 4),
    <u64>load<u32>(a, 8) + ROOM_2 - <u64>load<u32>(b, 8) - <u64>load<u32>(c, 8),
    <u64>load<u32>(a, 12) + ROOM_3 - <u64>load<u32>(b, 12) - <u64>load<u32>(c, 12),
    <u64>load<u32>(a, 16) + ROOM_4 - <u64>load<u32>(b, 16) - <u64>load<u32>(c, 16),
    <u64>load<u32>(a, 20) + ROOM_5 - <u64>load<u32>(b, 20) - <u64>load<u32>(c, 20),
    <u64>load<u32>(a, 24) + ROOM_6 - <u64>load<u32>(b, 24) - <u64>load<u32>(c, 24),
    <u64>load<u32>(a, 28) + ROOM_7 - <u64>load<u32>(b, 28) - <u64>load<u32>(c, 28),
    <u64>load<u32>(a, 32) + ROOM_8 - <u64>load<u32>(b, 32) - <u64>load<u32>(c, 32),
  )
}

/** 4a − b. */
export function subtractFromFourfold(to: usize, a: usize, b: usize): void {
  storeCarried(
    to,
    ((<u64>load<u32>(a)) << 2) + ROOM_0 - <u64>load<u32>(b),
    ((<u64>load<u32>(a, 4)) << 2) + ROOM_1 - <u64>load<u32>(b, 4),
    ((<u64>load<u32>(a, 8)) << 2) + ROOM_2 - <u64>load<u32>(b, 8),
    ((<u64>load<u32>(a, 12)) << 2) + ROOM_3 - <u64>load<u32>(b, 12),
    ((<u64>load<u32>(a, 16)) << 2) + ROOM_4 - <u64>load<u32>(b, 16),
    ((<u64>load<u32>(a, 20)) << 2) + ROOM_5 - <u64>load<u32>(b, 20),
    ((<u64>load<u32>(a, 24)) << 2) + ROOM_6 - <u64>load<u32>(b, 24),
    ((<u64>load<u32>(a, 28)) << 2) + ROOM_7 - <u64>load<u32>(b, 28),
    ((<u64>load<u32>(a, 32)) << 2) + ROOM_8 - <u64>load<u32>(b, 32),
  )
}
