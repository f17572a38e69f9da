import fc from 'fast-check'
import { HARDFORKS } from '#node/spec/rules.ts'
import { EMPTY_CODE_HASH, emptyState, type StateSnapshot } from '#node/state/state-snapshot.ts'
import { WorldState } from '#node/state/world-state.ts'
import { bigIntToBytes, concatBytes } from '#primitives/bytes.ts'
import { type Address, hexToBytes, toWord } from '#primitives/hex.ts'

/** Random EVM code: mostly sensible steps, so that it gets far, and sometimes nonsense. */

const MOST = 2n ** 256n - 1n
const PRECOMPILES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 256].map(
  (n): Address => `0x${n.toString(16).padStart(40, '0')}`,
)

/** Contracts that call each other; the last ones are delegations to others (EIP-7702). */
export const CONTRACTS = [0, 1, 2, 3].map((n): Address => `0x${'c'.repeat(39)}${n}`)
export const DELEGATIONS: readonly (readonly [account: Address, delegate: Address])[] = [
  [`0x${'d'.repeat(39)}0`, CONTRACTS[0] as Address],
  [`0x${'d'.repeat(39)}1`, CONTRACTS[1] as Address],
  // Delegations to an empty account, to a precompile, to another delegation.
  [`0x${'d'.repeat(39)}2`, `0x${'e'.repeat(40)}`],
  [`0x${'d'.repeat(39)}3`, PRECOMPILES[3] as Address],
  [`0x${'d'.repeat(39)}4`, `0x${'d'.repeat(39)}0`],
]
export const SENDER: Address = `0x${'a'.repeat(40)}`
export const RICH: Address = `0x${'b'.repeat(40)}`
/** An address without an account. */
export const EMPTY: Address = `0x${'5'.repeat(40)}`
const NOBODY: Address = `0x${'e'.repeat(40)}`

export const target = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...CONTRACTS) },
  { weight: 2, arbitrary: fc.constantFrom(...DELEGATIONS.map(([account]) => account)) },
  { weight: 2, arbitrary: fc.constantFrom(SENDER, RICH, EMPTY, NOBODY) },
  { weight: 2, arbitrary: fc.constantFrom(...PRECOMPILES) },
)

type Code = readonly number[]

function push(value: bigint | number): Code {
  if (BigInt(value) === 0n) return [0x5f]
  const digits = value.toString(16)
  const bytes = hexToBytes(digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`)
  return [0x5f + bytes.length, ...bytes]
}

const word = fc.oneof(
  fc.bigInt({ min: 0n, max: 4n }),
  fc.constantFrom(31n, 32n, 255n, 256n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 128n, 2n ** 255n, MOST - 1n, MOST),
  fc.tuple(fc.bigInt({ min: 0n, max: MOST }), fc.nat(255)).map(([value, shift]) => value >> BigInt(shift)),
  target.map(BigInt),
)
const pushWord = word.map(push)
const slot = fc.bigInt({ min: 0n, max: 3n }).map(push)
const small = fc.nat(96).map(push)
/** Memory offsets, mostly small. */
const offset = fc.oneof({ weight: 40, arbitrary: small }, { weight: 1, arbitrary: pushWord })
const size = fc.oneof(
  { weight: 40, arbitrary: small },
  { weight: 1, arbitrary: fc.nat(100_000).map(push) },
  { weight: 1, arbitrary: pushWord },
)
const wei = fc.oneof(
  { weight: 4, arbitrary: fc.constant(push(0)) },
  { weight: 2, arbitrary: fc.constant(push(1)) },
  { weight: 1, arbitrary: pushWord },
)
const gas = fc.oneof(fc.constant([0x5a]), fc.nat(60_000).map(push), pushWord)
const account = target.map((address) => push(BigInt(address)))

/** Code that pushes arguments, the last one first, and then runs a step. */
function step(opcode: fc.Arbitrary<number>, ...args: readonly fc.Arbitrary<Code>[]): fc.Arbitrary<Code> {
  return fc.tuple(opcode, fc.tuple(...args)).map(([code, values]) => [...values.toReversed().flat(), code])
}
const op = (...opcodes: readonly number[]) => fc.constantFrom(...opcodes)
const range = (first: number, last: number) => fc.integer({ min: first, max: last })

/** Leaves one word on the stack. */
const expression: fc.Arbitrary<Code> = fc.oneof(
  step(range(0x01, 0x07), pushWord, pushWord),
  step(range(0x08, 0x09), pushWord, pushWord, pushWord),
  step(op(0x0a, 0x0b), pushWord, pushWord),
  step(op(0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d), pushWord, pushWord),
  step(op(0x1b, 0x1c, 0x1d, 0x1a, 0x0b), fc.nat(260).map(push), pushWord),
  step(op(0x15, 0x19, 0x1e), pushWord),
  step(op(0x20), offset, size),
  step(op(0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a)),
  step(op(0x58, 0x59, 0x5a)),
  step(op(0x31, 0x3b, 0x3f), account),
  step(op(0x35), offset),
  step(op(0x40, 0x49), fc.oneof(small, pushWord)),
  step(op(0x51), offset),
  step(op(0x54, 0x5c), slot),
  step(op(0xf1, 0xf2), gas, account, wei, offset, size, offset, size),
  step(op(0xf1, 0xf2), gas, account, wei, offset, size, offset, size),
  step(op(0xf4, 0xfa), gas, account, offset, size, offset, size),
  step(op(0xf4, 0xfa), gas, account, offset, size, offset, size),
)

/** Puts code for CREATE in memory, then creates; leaves one word on the stack. */
const initcode = fc.oneof(
  fc.constantFrom<Code>(
    [],
    [0x33, 0xff],
    [0x5f, 0x5f, 0xfd],
    [0xfe],
    [0x60, 0xef, 0x5f, 0x53, 0x60, 0x01, 0x5f, 0xf3],
    [0x60, 0x01, 0x5f, 0x55, 0x60, 0x20, 0x5f, 0xf3],
    // Deploys code that self-destructs to its caller.
    [0x61, 0x33, 0xff, 0x5f, 0x52, 0x60, 0x02, 0x60, 0x1e, 0xf3],
    // Code longer than the limit.
    [0x61, 0x60, 0x01, 0x5f, 0xf3],
    // Calls its creator, and deploys nothing.
    [0x5f, 0x5f, 0x5f, 0x5f, 0x5f, 0x33, 0x61, 0x30, 0x00, 0xf1],
  ),
  fc.array(range(0, 255), { maxLength: 24 }),
)
const creation: fc.Arbitrary<Code> = fc
  .record({ initcode, salt: slot, value: wei, twice: fc.boolean(), isCreate2: fc.boolean() })
  .map(({ initcode: bytes, salt, value, twice, isCreate2 }) => {
    const store = bytes.flatMap((byte, i) => [...push(byte), ...push(i), 0x53])
    const create = [...(isCreate2 ? salt : []), ...push(bytes.length), 0x5f, ...value, isCreate2 ? 0xf5 : 0xf0]
    return [...store, ...create, ...(twice ? [0x50, ...create] : [])]
  })

/** Consumes the word on the stack, so that something depends on it. */
const sink: fc.Arbitrary<Code> = fc.oneof(
  slot.map((key) => [...key, 0x55]),
  slot.map((key) => [...key, 0x5d]),
  offset.map((at) => [...at, 0x52]),
  fc.constant([0x50]),
  fc.constant([]),
)

/** Stack operations, with the number of words that each takes and leaves. */
const SHUFFLES: readonly (readonly [opcode: number, takes: number, leaves: number])[] = [
  ...[0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14].map(
    (code) => [code, 2, 1] as const,
  ),
  ...[0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d].map((code) => [code, 2, 1] as const),
  ...[0x08, 0x09].map((code) => [code, 3, 1] as const),
  ...[0x15, 0x15, 0x19].map((code) => [code, 1, 1] as const),
  ...[0x30, 0x33, 0x34, 0x36, 0x3d, 0x42, 0x48, 0x59, 0x5a, 0x5f].map((code) => [code, 0, 1] as const),
  ...Array.from({ length: 8 }, (_, i) => [0x80 + i, i + 1, i + 2] as const),
  ...Array.from({ length: 8 }, (_, i) => [0x90 + i, i + 2, i + 2] as const),
  ...Array.from({ length: 8 }, (_, i) => [0x90 + i, i + 2, i + 2] as const),
  [0x50, 1, 0],
  [0x50, 1, 0],
]

/** A PUSH2 with a position relative to itself, for code that is not yet in its final place. */
const placeAhead = (distance: number) => 0x10000 + distance
const sizeOf = (code: Code) => code.reduce((bytes, byte) => bytes + (byte < 256 ? 1 : 3), 0)

/** Moves words and computes with them, in straight lines and across jumps, then stores everything that is left. */
const shuffling: fc.Arbitrary<Code> = fc
  .record({
    words: fc.array(fc.oneof(pushWord, small, step(op(0x35, 0x51), small)), { minLength: 2, maxLength: 9 }),
    steps: fc.array(fc.oneof(fc.nat(SHUFFLES.length - 1), fc.constantFrom(-1, -2, -3)), { maxLength: 40 }),
    key: slot,
  })
  .map(({ words, steps, key }) => {
    let height = words.length
    const code = words.flat()
    for (const chosen of steps) {
      const [opcode, takes, leaves] = SHUFFLES[chosen] ?? [0, 1, 0]
      if (height < takes) continue
      height += leaves - takes
      // A jump to the next step: conditional on a computed word, on its opposite, or always to a computed place.
      if (chosen === -1) code.push(placeAhead(4), 0x57, 0x5b)
      else if (chosen === -2) code.push(0x15, placeAhead(4), 0x57, 0x5b)
      else if (chosen === -3) code.push(0x50, placeAhead(6), 0x5f, 0x01, 0x56, 0x5b)
      else code.push(opcode)
    }
    const kept = Array.from({ length: height }, () => [...key, 0x54, 0x60, 0x07, 0x02, 0x01, ...key, 0x55])
    return [...code, ...kept.flat()]
  })

/** A word below a counter: how far. */
const below = range(1, 4)
const DUP_OF = 0x80
const SWAP_WITH = 0x8f
/** Steps on such words, after which the counter is on top again. */
const loopStep: fc.Arbitrary<Code> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(below, below, below, op(1, 2, 3, 4, 5, 6, 7, 0x0b, 0x10, 0x11, 0x12, 0x14, 0x16, 0x17, 0x18, 0x1b, 0x1c))
      .map(([a, b, to, code]) => [DUP_OF + a, DUP_OF + b + 1, code, SWAP_WITH + to + 1, 0x50]),
  },
  // Hashes, loads from memory or input, and stores of words and bytes, at small offsets.
  fc
    .tuple(below, below, op(0x51, 0x35, 0x15, 0x19))
    .map(([a, to, code]) => [DUP_OF + a, 0x60, 0x7f, 0x16, code, SWAP_WITH + to + 1, 0x50]),
  fc.tuple(below, below, op(0x52, 0x53)).map(([a, b, code]) => [DUP_OF + a, DUP_OF + b + 1, 0x60, 0x7f, 0x16, code]),
  fc.tuple(below, below).map(([a, b]) => [SWAP_WITH + a, SWAP_WITH + b, SWAP_WITH + a]),
)

/** Counts down on the stack, computing with the words below, then stores everything that is left. */
const looping: fc.Arbitrary<Code> = fc
  .record({
    words: fc.array(pushWord, { minLength: 5, maxLength: 6 }),
    times: range(1, 8),
    // Each step, or one that is only done if a word is 0.
    steps: fc.array(fc.tuple(loopStep, fc.option(below, { freq: 3 })), { maxLength: 6 }),
    key: slot,
  })
  .map(({ words, times, steps, key }) => {
    const body = steps.flatMap(([code, condition]) =>
      condition === null ? code : [DUP_OF + condition, placeAhead(4 + sizeOf(code)), 0x57, ...code, 0x5b],
    )
    const loop = [0x5b, ...body, 0x60, 1, 0x90, 0x03, 0x80]
    const kept = words.flatMap(() => [...key, 0x54, 0x60, 0x07, 0x02, 0x01, ...key, 0x55])
    return [...words.flat(), ...push(times), ...loop, placeAhead(-sizeOf(loop)), 0x57, 0x50, ...kept]
  })

const statement: fc.Arbitrary<Code> = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(expression, sink).map((parts) => parts.flat()) },
  { weight: 2, arbitrary: fc.tuple(creation, sink).map((parts) => parts.flat()) },
  // Calls the created contract.
  {
    weight: 1,
    arbitrary: fc
      .tuple(creation, gas, sink)
      .map(([create, forwarded, rest]) => [0x5f, 0x5f, 0x5f, 0x5f, 0x5f, ...create, ...forwarded, 0xf1, ...rest]),
  },
  { weight: 2, arbitrary: step(op(0x52, 0x53), offset, pushWord) },
  { weight: 2, arbitrary: step(op(0x55, 0x5d), slot, fc.oneof(slot, pushWord)) },
  { weight: 2, arbitrary: step(op(0x37, 0x39, 0x3e, 0x5e), offset, offset, size) },
  { weight: 1, arbitrary: step(op(0x3e), offset, fc.constant([0x5f]), fc.constant([0x3d])) },
  { weight: 1, arbitrary: step(op(0x3c), account, offset, offset, size) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(range(0, 4), offset, size, fc.array(pushWord, { minLength: 4, maxLength: 4 }))
      .map(([count, at, length, topics]) => [...topics.slice(0, count).flat(), ...length, ...at, 0xa0 + count]),
  },
  { weight: 1, arbitrary: fc.tuple(range(0x80, 0x9f), sink).map(([opcode, rest]) => [opcode, ...rest]) },
)
const ending: fc.Arbitrary<Code> = fc.oneof(
  { weight: 3, arbitrary: step(op(0xf3), offset, size) },
  { weight: 1, arbitrary: step(op(0xfd), offset, size) },
  { weight: 1, arbitrary: step(op(0xff), account) },
  { weight: 1, arbitrary: fc.constant([0x00]) },
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(range(0, 255), { maxLength: 20 }) },
)

type Part =
  | { readonly kind: 'plain'; readonly code: Code }
  /** Skipped unless the top of the stack is 0. */
  | { readonly kind: 'if'; readonly condition: Code; readonly body: Code }
  | { readonly kind: 'loop'; readonly times: number; readonly body: Code }

const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 10, arbitrary: statement.map((code): Part => ({ kind: 'plain', code })) },
  { weight: 4, arbitrary: shuffling.map((code): Part => ({ kind: 'plain', code })) },
  { weight: 2, arbitrary: looping.map((code): Part => ({ kind: 'plain', code })) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('if' as const), condition: expression, body: statement }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('loop' as const), times: range(1, 6), body: statement }) },
)

function assemble(parts: readonly Part[], end: Code): Uint8Array {
  const code: number[] = []
  const at = (place: number) => [0x61, place >> 8, place & 0xff]
  for (const piece of parts) {
    if (piece.kind === 'plain') {
      for (const byte of piece.code) code.push(...(byte < 256 ? [byte] : at(code.length + byte - 0x10000)))
    } else if (piece.kind === 'if') {
      code.push(...piece.condition)
      const after = code.length + 4 + piece.body.length
      code.push(...at(after), 0x57, ...piece.body, 0x5b)
    } else {
      // The counter is in a transient slot of its own, so the body can do anything to the stack.
      const counter = push(99)
      code.push(...push(piece.times), ...counter, 0x5d)
      const start = code.length
      code.push(0x5b, ...piece.body, 0x60, 1, ...counter, 0x5c, 0x03, 0x80, ...counter, 0x5d, ...at(start), 0x57)
    }
  }
  return Uint8Array.from([...code, ...end])
}

export const program = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.tuple(fc.array(part, { maxLength: 14 }), ending).map(([parts, end]) => assemble(parts, end)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }) },
)

/** A message and the state that it runs on. */
export const scenario = fc.record({
  hardfork: fc.constantFrom(...HARDFORKS),
  blobHashes: fc.array(fc.bigInt({ min: 1n, max: MOST }).map(toWord), { maxLength: 2 }),
  codes: fc.array(program, { minLength: CONTRACTS.length, maxLength: CONTRACTS.length }),
  slots: fc.array(fc.tuple(fc.nat(CONTRACTS.length - 1), fc.nat(3), fc.bigInt({ min: 1n, max: MOST })), {
    maxLength: 6,
  }),
  to: fc.option(target, { nil: null, freq: 8 }),
  input: fc.oneof(fc.uint8Array({ maxLength: 100 }), program),
  value: fc.constantFrom(0n, 0n, 1n, 10n ** 18n),
  gas: fc.oneof(fc.bigInt({ min: 0n, max: 60_000n }), fc.constantFrom(300_000n, 1_000_000n)),
  warmSlots: fc.array(fc.tuple(fc.constantFrom(...CONTRACTS), fc.nat(3)), { maxLength: 2 }),
  warmAddresses: fc.array(target, { maxLength: 2 }),
})
export type ProgramScenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never

/** The delegation designator of an account. */
function designator(delegate: Address): Uint8Array {
  return concatBytes(Uint8Array.of(0xef, 0x01, 0x00), hexToBytes(delegate))
}

/** The state of a scenario. */
export function worldOf({ codes, slots }: Pick<ProgramScenario, 'codes' | 'slots'>): StateSnapshot {
  const state = new WorldState(emptyState())
  state.setAccount(SENDER, { nonce: 8n, balance: 10n ** 21n, codeHash: EMPTY_CODE_HASH })
  state.setAccount(RICH, { nonce: 0n, balance: 10n ** 18n, codeHash: EMPTY_CODE_HASH })
  state.setAccount(EMPTY, { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH })
  CONTRACTS.forEach((address, i) => {
    state.setAccount(address, { nonce: 1n, balance: BigInt(i) * 1_000n, codeHash: EMPTY_CODE_HASH })
    state.setCode(address, codes[i] ?? new Uint8Array(0))
  })
  for (const [address, delegate] of DELEGATIONS) {
    state.setAccount(address, { nonce: 1n, balance: 5n, codeHash: EMPTY_CODE_HASH })
    state.setCode(address, designator(delegate))
  }
  for (const [contract, key, value] of slots) {
    state.setStorage(CONTRACTS[contract] as `0x${string}`, toWord(key), bigIntToBytes(value))
  }
  return state.snapshot()
}
