import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import { type Address, toWord } from '#primitives/hex.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { addBalance, setBalance, setNonce, setSlot } from './edit-account.ts'
import { type StateDifference, stateDifference } from './state-difference.ts'
import { readState, writeStateInPieces } from './state-record.ts'
import { emptyState, type StateSnapshot } from './state-snapshot.ts'
import { WorldState } from './world-state.ts'

/** Accounts below the first number have no slots, those up to the second few, the others many. */
const [PLAIN, SMALL, ALL] = [250, 300, 302]
const [FEW_SLOTS, MANY_SLOTS] = [3, 250]
const address = (n: number): Address => `0x${(n % ALL).toString(16).padStart(40, '0')}`
const slotsOf = (n: number) => (n < SMALL ? FEW_SLOTS : MANY_SLOTS)
const slotsAtFirst = (n: number) => (n < PLAIN ? 0 : slotsOf(n))
/** Accounts with many slots are as often meant as those with few. */
const contractOf = (n: number) => (n % 2 === 0 ? SMALL + (n % (ALL - SMALL)) : PLAIN + (n % (SMALL - PLAIN)))

interface Edit {
  readonly kind: 'balance' | 'nonce' | 'slot' | 'code' | 'delete' | 'clear'
  readonly n: number
  readonly slot: number
  readonly value: number
}
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('balance', 'balance', 'nonce', 'slot', 'slot', 'slot', 'slot', 'code', 'delete', 'clear'),
  n: fc.nat(5_000),
  slot: fc.nat(5_000),
  value: fc.nat(300),
})

function apply(state: WorldState, { kind, n, slot, value }: Edit): void {
  const contract = contractOf(n)
  const bytes = value === 0 ? [] : value < 256 ? [value] : [1, value - 256]
  if (kind === 'balance') setBalance(state, address(n), BigInt(value))
  else if (kind === 'nonce') setNonce(state, address(n), BigInt(value))
  else if (kind === 'code') state.setCode(address(n), Uint8Array.from(bytes))
  else if (kind === 'delete') state.setAccount(address(n), undefined)
  else if (kind === 'clear') state.clearStorage(address(contract))
  else setSlot(state, address(contract), toWord(slot % slotsOf(contract)), Uint8Array.from(bytes))
}

function begun(size: number): StateSnapshot {
  const state = new WorldState(emptyState())
  for (let n = 0; n < ALL; n++) {
    if (n < PLAIN && n % 10 >= size) continue
    addBalance(state, address(n), BigInt(n + 1))
    for (let slot = 0; slot < slotsAtFirst(n); slot++) setSlot(state, address(n), toWord(slot), Uint8Array.of(1))
  }
  return state.snapshot()
}

/** Two states with the same content, of which one is written in pieces and packed, and the other never is. */
interface Pair {
  readonly packed: StateSnapshot
  readonly plain: StateSnapshot
  readonly parent: Pair | undefined
}

type Act =
  | { readonly kind: 'seal'; readonly from: number; readonly ticks: readonly (readonly Edit[])[] }
  | { readonly kind: 'write'; readonly of: number; readonly pieces: number }
  | { readonly kind: 'read'; readonly of: number; readonly all: boolean; readonly n: number }
  | { readonly kind: 'reopen'; readonly of: number }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('seal' as const),
      // Most go on from the newest state, some from an older one, as after a revert.
      from: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(50)),
      ticks: fc.array(fc.array(edit, { maxLength: 6 }), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      of: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(50)),
      pieces: fc.nat(30),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('read' as const), of: fc.nat(50), all: fc.boolean(), n: fc.nat(5_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const), of: fc.constant(0) }) },
)

const proofOf = (state: StateSnapshot, n: number) =>
  state.prove(address(n), [toWord(n % slotsOf(n % ALL)), toWord((n + 1) % slotsOf(n % ALL))])
const listOf = (state: StateSnapshot) =>
  [...state.accounts()].map(([name, account]) => [name, account, [...state.slots(name)]])

function recordOf(state: StateSnapshot): Uint8Array {
  const writer = new ByteWriter()
  for (const pieces = writeStateInPieces(writer, state, false); !pieces.next().done; );
  return writer.finish()
}

test('states that are packed while others follow from them have what they had, and differ by no more and no less', () => {
  let written = 0
  fc.assert(
    fc.property(fc.nat(10), fc.array(act, { minLength: 10, maxLength: 60 }), (size, acts) => {
      const pairs: Pair[] = [{ packed: begun(size), plain: begun(size), parent: undefined }]
      const at = (back: number) => pairs.at(-1 - (back % pairs.length)) as Pair
      let writing: { of: Pair; writer: ByteWriter; pieces: Generator<void, void> } | undefined
      const go = (of: Pair, pieces: number) => {
        if (!writing) {
          const writer = new ByteWriter()
          writing = { of, writer, pieces: writeStateInPieces(writer, of.packed, true) }
        }
        for (let left = pieces; left > 0 && writing; left--) {
          if (!writing.pieces.next().done) continue
          const read = readState(new ByteReader(writing.writer.finish()), writing.of.packed.codes)
          expect(read.stateRoot()).toBe(writing.of.plain.stateRoot())
          expect(listOf(read)).toEqual(listOf(writing.of.plain))
          writing = undefined
          written++
        }
      }
      for (const each of acts) {
        const pair = at(each.kind === 'seal' ? each.from : each.of)
        if (each.kind === 'seal') {
          const [packed, plain] = [new WorldState(pair.packed), new WorldState(pair.plain)]
          for (const edits of each.ticks) {
            for (const one of edits) for (const state of [packed, plain]) apply(state, one)
            const next = { packed: packed.snapshot(), plain: plain.snapshot(), parent: pair }
            expect(next.packed.stateRoot()).toBe(next.plain.stateRoot())
            go(at(0), 2)
            expect(stateDifference(pair.packed, next.packed)).toEqual(stateDifference(pair.plain, next.plain))
            if (edits === each.ticks.at(-1)) pairs.push(next)
          }
        } else if (each.kind === 'write') go(pair, each.pieces)
        else if (each.kind === 'reopen') {
          const packed = readState(new ByteReader(recordOf(pair.packed)), pair.packed.codes)
          pairs.push({ packed, plain: pair.plain, parent: undefined })
        } else if (each.all) expect(listOf(pair.packed)).toEqual(listOf(pair.plain))
        else expect(proofOf(pair.packed, each.n)).toEqual(proofOf(pair.plain, each.n))
      }
      for (const { packed, plain, parent } of pairs) {
        expect(packed.stateRoot()).toBe(plain.stateRoot())
        expect(proofOf(packed, 7)).toEqual(proofOf(plain, 7))
        if (!parent) continue
        const expected: StateDifference = stateDifference(parent.plain, plain)
        expect(stateDifference(parent.packed, packed)).toEqual(expected)
      }
      const last = at(0)
      expect(listOf(last.packed)).toEqual(listOf(last.plain))
    }),
    // A run takes part of a second: one that fails is not made smaller for long.
    { numRuns: runsOf(12), interruptAfterTimeLimit: 40_000 * runsOf(1) },
  )
  expect(written).toBeGreaterThan(5)
})
