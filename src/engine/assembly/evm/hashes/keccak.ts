/**
 * keccak-256. Two rounds are written out, from one place of the state to another and back: no host has registers for the 25
 * lanes of both, so that each is loaded where it is used. Six lanes are inverted meanwhile, which saves most of the NOTs of χ.
 *
 * @see {@link https://keccak.team/keccak_specs_summary.html | Keccak specifications summary}
 * @see {@link https://keccak.team/files/Keccak-implementation-3.2.pdf | Keccak implementation overview}, 2.2, lane complementing
 */

/** Bytes absorbed between two permutations. */
const RATE: usize = 136
const ROUND_CONSTANTS: usize = memory.data<u64>([
  0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
  0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
  0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
  0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
  0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
])
const STATE: usize = memory.data(200, 8)
/** The state after every other round. */
const OTHER: usize = memory.data(200, 8)

/** Hashes `size` bytes into the 32 at `to`. */
export function keccak256(from: usize, size: usize, to: usize): void {
  // The host's functions for memory would take longer than all of this.
  if (size < RATE) {
    let i: usize = 0
    for (; i + 8 <= size; i += 8) store<u64>(STATE + i, load<u64>(from + i))
    store<u64>(STATE + i, lastLane(from + i, size - i))
    for (i += 8; i < 200; i += 8) store<u64>(STATE + i, 0)
  } else {
    memory.fill(STATE, 0, 200)
    absorbRest(from, size)
  }
  squeeze(to)
}

/** Where the state is between two calls of {@link absorbBlocks}: 200 bytes, zeros before the first. */
export function stateAt(): usize {
  return STATE
}

/** Absorbs a multiple of 136 bytes. */
export function absorbBlocks(from: usize, size: usize): void {
  for (; size >= RATE; size -= RATE, from += RATE) {
    for (let i: usize = 0; i < RATE; i += 8) absorb(i, load<u64>(from + i))
    permute()
  }
}

/** Absorbs the last bytes, and writes the hash of all to `to`. */
export function finish(from: usize, size: usize, to: usize): void {
  absorbRest(from, size)
  squeeze(to)
}

function squeeze(to: usize): void {
  store<u8>(STATE, load<u8>(STATE, 135) ^ 0x80, 135)
  permute()
  store<u64>(to, load<u64>(STATE))
  store<u64>(to, load<u64>(STATE, 8), 8)
  store<u64>(to, load<u64>(STATE, 16), 16)
  store<u64>(to, load<u64>(STATE, 24), 24)
}

/** The bytes that are left, fewer than eight, and behind them the first bit of the padding. */
function lastLane(from: usize, size: usize): u64 {
  let lane: u64 = 1
  while (size > 0) lane = (lane << 8) | (load<u8>(from + --size) as u64)
  return lane
}

/** Absorbs all that is left, and the beginning of the padding. */
function absorbRest(from: usize, size: usize): void {
  const rest = size % RATE
  absorbBlocks(from, size - rest)
  from += size - rest
  let i: usize = 0
  for (; i + 8 <= rest; i += 8) absorb(i, load<u64>(from + i))
  absorb(i, lastLane(from + i, rest - i))
}

function absorb(at: usize, lane: u64): void {
  store<u64>(STATE + at, load<u64>(STATE + at) ^ lane)
}

/** keccak-f[1600]: lane x, y of the specification is the one with the number x + 5·y. */
function permute(): void {
  invert()
  // The parity of each column.
  let c0 =
    load<u64>(STATE, 0) ^ load<u64>(STATE, 40) ^ load<u64>(STATE, 80) ^ load<u64>(STATE, 120) ^ load<u64>(STATE, 160)
  let c1 =
    load<u64>(STATE, 8) ^ load<u64>(STATE, 48) ^ load<u64>(STATE, 88) ^ load<u64>(STATE, 128) ^ load<u64>(STATE, 168)
  let c2 =
    load<u64>(STATE, 16) ^ load<u64>(STATE, 56) ^ load<u64>(STATE, 96) ^ load<u64>(STATE, 136) ^ load<u64>(STATE, 176)
  let c3 =
    load<u64>(STATE, 24) ^ load<u64>(STATE, 64) ^ load<u64>(STATE, 104) ^ load<u64>(STATE, 144) ^ load<u64>(STATE, 184)
  let c4 =
    load<u64>(STATE, 32) ^ load<u64>(STATE, 72) ^ load<u64>(STATE, 112) ^ load<u64>(STATE, 152) ^ load<u64>(STATE, 192)
  for (let round: usize = 0; round < 192; round += 16) {
    // θ, then plane by plane: ρ and π, χ and ι
    const d0 = c4 ^ rotl<u64>(c1, 1)
    const d1 = c0 ^ rotl<u64>(c2, 1)
    const d2 = c1 ^ rotl<u64>(c3, 1)
    const d3 = c2 ^ rotl<u64>(c4, 1)
    const d4 = c3 ^ rotl<u64>(c0, 1)
    const b00 = load<u64>(STATE, 0) ^ d0
    const b01 = rotl<u64>(load<u64>(STATE, 48) ^ d1, 44)
    const b02 = rotl<u64>(load<u64>(STATE, 96) ^ d2, 43)
    const b03 = rotl<u64>(load<u64>(STATE, 144) ^ d3, 21)
    const b04 = rotl<u64>(load<u64>(STATE, 192) ^ d4, 14)
    let p0 = b00 ^ (b01 | b02) ^ load<u64>(ROUND_CONSTANTS + round)
    store<u64>(OTHER, p0, 0)
    let p1 = b01 ^ (~b02 | b03)
    store<u64>(OTHER, p1, 8)
    let p2 = b02 ^ (b03 & b04)
    store<u64>(OTHER, p2, 16)
    let p3 = b03 ^ (b04 | b00)
    store<u64>(OTHER, p3, 24)
    let p4 = b04 ^ (b00 & b01)
    store<u64>(OTHER, p4, 32)
    const b10 = rotl<u64>(load<u64>(STATE, 24) ^ d3, 28)
    const b11 = rotl<u64>(load<u64>(STATE, 72) ^ d4, 20)
    const b12 = rotl<u64>(load<u64>(STATE, 80) ^ d0, 3)
    const b13 = rotl<u64>(load<u64>(STATE, 128) ^ d1, 45)
    const b14 = rotl<u64>(load<u64>(STATE, 176) ^ d2, 61)
    const e10 = b10 ^ (b11 | b12)
    store<u64>(OTHER, e10, 40)
    p0 ^= e10
    const e11 = b11 ^ (b12 & b13)
    store<u64>(OTHER, e11, 48)
    p1 ^= e11
    const e12 = b12 ^ (b13 | ~b14)
    store<u64>(OTHER, e12, 56)
    p2 ^= e12
    const e13 = b13 ^ (b14 | b10)
    store<u64>(OTHER, e13, 64)
    p3 ^= e13
    const e14 = b14 ^ (b10 & b11)
    store<u64>(OTHER, e14, 72)
    p4 ^= e14
    const b20 = rotl<u64>(load<u64>(STATE, 8) ^ d1, 1)
    const b21 = rotl<u64>(load<u64>(STATE, 56) ^ d2, 6)
    const b22 = rotl<u64>(load<u64>(STATE, 104) ^ d3, 25)
    const b23 = rotl<u64>(load<u64>(STATE, 152) ^ d4, 8)
    const b24 = rotl<u64>(load<u64>(STATE, 160) ^ d0, 18)
    const e20 = b20 ^ (b21 | b22)
    store<u64>(OTHER, e20, 80)
    p0 ^= e20
    const e21 = b21 ^ (b22 & b23)
    store<u64>(OTHER, e21, 88)
    p1 ^= e21
    const e22 = b22 ^ (~b23 & b24)
    store<u64>(OTHER, e22, 96)
    p2 ^= e22
    const e23 = ~b23 ^ (b24 | b20)
    store<u64>(OTHER, e23, 104)
    p3 ^= e23
    const e24 = b24 ^ (b20 & b21)
    store<u64>(OTHER, e24, 112)
    p4 ^= e24
    const b30 = rotl<u64>(load<u64>(STATE, 32) ^ d4, 27)
    const b31 = rotl<u64>(load<u64>(STATE, 40) ^ d0, 36)
    const b32 = rotl<u64>(load<u64>(STATE, 88) ^ d1, 10)
    const b33 = rotl<u64>(load<u64>(STATE, 136) ^ d2, 15)
    const b34 = rotl<u64>(load<u64>(STATE, 184) ^ d3, 56)
    const e30 = b30 ^ (b31 & b32)
    store<u64>(OTHER, e30, 120)
    p0 ^= e30
    const e31 = b31 ^ (b32 | b33)
    store<u64>(OTHER, e31, 128)
    p1 ^= e31
    const e32 = b32 ^ (~b33 | b34)
    store<u64>(OTHER, e32, 136)
    p2 ^= e32
    const e33 = ~b33 ^ (b34 & b30)
    store<u64>(OTHER, e33, 144)
    p3 ^= e33
    const e34 = b34 ^ (b30 | b31)
    store<u64>(OTHER, e34, 152)
    p4 ^= e34
    const b40 = rotl<u64>(load<u64>(STATE, 16) ^ d2, 62)
    const b41 = rotl<u64>(load<u64>(STATE, 64) ^ d3, 55)
    const b42 = rotl<u64>(load<u64>(STATE, 112) ^ d4, 39)
    const b43 = rotl<u64>(load<u64>(STATE, 120) ^ d0, 41)
    const b44 = rotl<u64>(load<u64>(STATE, 168) ^ d1, 2)
    const e40 = b40 ^ (~b41 & b42)
    store<u64>(OTHER, e40, 160)
    p0 ^= e40
    const e41 = ~b41 ^ (b42 | b43)
    store<u64>(OTHER, e41, 168)
    p1 ^= e41
    const e42 = b42 ^ (b43 & b44)
    store<u64>(OTHER, e42, 176)
    p2 ^= e42
    const e43 = b43 ^ (b44 | b40)
    store<u64>(OTHER, e43, 184)
    p3 ^= e43
    const e44 = b44 ^ (b40 & b41)
    store<u64>(OTHER, e44, 192)
    p4 ^= e44

    const f0 = p4 ^ rotl<u64>(p1, 1)
    const f1 = p0 ^ rotl<u64>(p2, 1)
    const f2 = p1 ^ rotl<u64>(p3, 1)
    const f3 = p2 ^ rotl<u64>(p4, 1)
    const f4 = p3 ^ rotl<u64>(p0, 1)
    const g00 = load<u64>(OTHER, 0) ^ f0
    const g01 = rotl<u64>(load<u64>(OTHER, 48) ^ f1, 44)
    const g02 = rotl<u64>(load<u64>(OTHER, 96) ^ f2, 43)
    const g03 = rotl<u64>(load<u64>(OTHER, 144) ^ f3, 21)
    const g04 = rotl<u64>(load<u64>(OTHER, 192) ^ f4, 14)
    c0 = g00 ^ (g01 | g02) ^ load<u64>(ROUND_CONSTANTS + round, 8)
    store<u64>(STATE, c0, 0)
    c1 = g01 ^ (~g02 | g03)
    store<u64>(STATE, c1, 8)
    c2 = g02 ^ (g03 & g04)
    store<u64>(STATE, c2, 16)
    c3 = g03 ^ (g04 | g00)
    store<u64>(STATE, c3, 24)
    c4 = g04 ^ (g00 & g01)
    store<u64>(STATE, c4, 32)
    const g10 = rotl<u64>(load<u64>(OTHER, 24) ^ f3, 28)
    const g11 = rotl<u64>(load<u64>(OTHER, 72) ^ f4, 20)
    const g12 = rotl<u64>(load<u64>(OTHER, 80) ^ f0, 3)
    const g13 = rotl<u64>(load<u64>(OTHER, 128) ^ f1, 45)
    const g14 = rotl<u64>(load<u64>(OTHER, 176) ^ f2, 61)
    const h10 = g10 ^ (g11 | g12)
    store<u64>(STATE, h10, 40)
    c0 ^= h10
    const h11 = g11 ^ (g12 & g13)
    store<u64>(STATE, h11, 48)
    c1 ^= h11
    const h12 = g12 ^ (g13 | ~g14)
    store<u64>(STATE, h12, 56)
    c2 ^= h12
    const h13 = g13 ^ (g14 | g10)
    store<u64>(STATE, h13, 64)
    c3 ^= h13
    const h14 = g14 ^ (g10 & g11)
    store<u64>(STATE, h14, 72)
    c4 ^= h14
    const g20 = rotl<u64>(load<u64>(OTHER, 8) ^ f1, 1)
    const g21 = rotl<u64>(load<u64>(OTHER, 56) ^ f2, 6)
    const g22 = rotl<u64>(load<u64>(OTHER, 104) ^ f3, 25)
    const g23 = rotl<u64>(load<u64>(OTHER, 152) ^ f4, 8)
    const g24 = rotl<u64>(load<u64>(OTHER, 160) ^ f0, 18)
    const h20 = g20 ^ (g21 | g22)
    store<u64>(STATE, h20, 80)
    c0 ^= h20
    const h21 = g21 ^ (g22 & g23)
    store<u64>(STATE, h21, 88)
    c1 ^= h21
    const h22 = g22 ^ (~g23 & g24)
    store<u64>(STATE, h22, 96)
    c2 ^= h22
    const h23 = ~g23 ^ (g24 | g20)
    store<u64>(STATE, h23, 104)
    c3 ^= h23
    const h24 = g24 ^ (g20 & g21)
    store<u64>(STATE, h24, 112)
    c4 ^= h24
    const g30 = rotl<u64>(load<u64>(OTHER, 32) ^ f4, 27)
    const g31 = rotl<u64>(load<u64>(OTHER, 40) ^ f0, 36)
    const g32 = rotl<u64>(load<u64>(OTHER, 88) ^ f1, 10)
    const g33 = rotl<u64>(load<u64>(OTHER, 136) ^ f2, 15)
    const g34 = rotl<u64>(load<u64>(OTHER, 184) ^ f3, 56)
    const h30 = g30 ^ (g31 & g32)
    store<u64>(STATE, h30, 120)
    c0 ^= h30
    const h31 = g31 ^ (g32 | g33)
    store<u64>(STATE, h31, 128)
    c1 ^= h31
    const h32 = g32 ^ (~g33 | g34)
    store<u64>(STATE, h32, 136)
    c2 ^= h32
    const h33 = ~g33 ^ (g34 & g30)
    store<u64>(STATE, h33, 144)
    c3 ^= h33
    const h34 = g34 ^ (g30 | g31)
    store<u64>(STATE, h34, 152)
    c4 ^= h34
    const g40 = rotl<u64>(load<u64>(OTHER, 16) ^ f2, 62)
    const g41 = rotl<u64>(load<u64>(OTHER, 64) ^ f3, 55)
    const g42 = rotl<u64>(load<u64>(OTHER, 112) ^ f4, 39)
    const g43 = rotl<u64>(load<u64>(OTHER, 120) ^ f0, 41)
    const g44 = rotl<u64>(load<u64>(OTHER, 168) ^ f1, 2)
    const h40 = g40 ^ (~g41 & g42)
    store<u64>(STATE, h40, 160)
    c0 ^= h40
    const h41 = ~g41 ^ (g42 | g43)
    store<u64>(STATE, h41, 168)
    c1 ^= h41
    const h42 = g42 ^ (g43 & g44)
    store<u64>(STATE, h42, 176)
    c2 ^= h42
    const h43 = g43 ^ (g44 | g40)
    store<u64>(STATE, h43, 184)
    c3 ^= h43
    const h44 = g44 ^ (g40 & g41)
    store<u64>(STATE, h44, 192)
    c4 ^= h44
  }
  invert()
}

/** The lanes that are inverted while the state is permuted. */
function invert(): void {
  store<u64>(STATE, ~load<u64>(STATE, 8), 8)
  store<u64>(STATE, ~load<u64>(STATE, 16), 16)
  store<u64>(STATE, ~load<u64>(STATE, 64), 64)
  store<u64>(STATE, ~load<u64>(STATE, 96), 96)
  store<u64>(STATE, ~load<u64>(STATE, 136), 136)
  store<u64>(STATE, ~load<u64>(STATE, 160), 160)
}
