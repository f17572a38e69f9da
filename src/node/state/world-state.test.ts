// Longer than most files: the naive model, its operations and the examples share one vocabulary.
import { createMPT, verifyMerkleProof } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { bigIntToBytes, EMPTY_BYTES, padLeft } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import { InvariantError } from '#primitives/invariant.ts'
import { keccak256, keccak256Hex } from '../crypto/keccak.ts'
import { type Account, EMPTY_CODE_HASH, type StateReader } from './state-reader.ts'
import { type AccountProof, emptyState, type StateSnapshot } from './state-snapshot.ts'
import { Trie } from './trie.ts'
import { WorldState } from './world-state.ts'

/** A naive model of the world state. */
interface Model {
  readonly accounts: Map<Address, Account>
  readonly slots: Map<`${Address} ${Hash}`, Uint8Array>
}

const ADDRESSES = [1, 2, 3, 0x1234].map((n): Address => `0x${n.toString(16).padStart(40, '0')}`)
const SLOTS = [0, 1, 2, 2n ** 256n - 1n].map(toWord)
const CODES = [EMPTY_BYTES, Uint8Array.of(0), Uint8Array.of(0x60, 0x00), new Uint8Array(100).fill(0x5b)]
const codeOf = new Map(CODES.map((code) => [keccak256Hex(code), code]))

const copy = (model: Model): Model => ({ accounts: new Map(model.accounts), slots: new Map(model.slots) })

function clearSlots(model: Model, address: Address): void {
  for (const name of [...model.slots.keys()]) if (name.startsWith(address)) model.slots.delete(name)
}

/** State root computed from scratch with @ethereumjs/mpt. */
async function oracleRoot(model: Model): Promise<Hash> {
  const accounts = await createMPT({ useKeyHashing: true, useKeyHashingFunction: keccak256 })
  for (const [address, { nonce, balance, codeHash }] of model.accounts) {
    const storage = await createMPT({ useKeyHashing: true, useKeyHashingFunction: keccak256 })
    for (const [name, value] of model.slots) {
      const [owner, slot] = name.split(' ') as [Address, Hash]
      if (owner === address) await storage.put(hexToBytes(slot), RLP.encode(value))
    }
    const fields = [bigIntToBytes(nonce), bigIntToBytes(balance), storage.root(), hexToBytes(codeHash)]
    await accounts.put(hexToBytes(address), RLP.encode(fields))
  }
  return bytesToHex(accounts.root())
}

function expectSame(state: StateReader, model: Model): void {
  for (const address of ADDRESSES) {
    const account = model.accounts.get(address)
    expect(state.account(address)).toEqual(account)
    expect(state.code(address)).toEqual(codeOf.get(account?.codeHash ?? EMPTY_CODE_HASH))
    for (const slot of SLOTS) {
      expect(state.storage(address, slot)).toEqual(model.slots.get(`${address} ${slot}`) ?? EMPTY_BYTES)
    }
  }
}

type Operation =
  | { readonly kind: 'setAccount'; readonly address: Address; readonly nonce: bigint; readonly balance: bigint }
  | { readonly kind: 'setCode'; readonly address: Address; readonly code: Uint8Array }
  | { readonly kind: 'setStorage'; readonly address: Address; readonly slot: Hash; readonly value: Uint8Array }
  | { readonly kind: 'deleteAccount' | 'clearStorage'; readonly address: Address }
  | { readonly kind: 'read'; readonly address: Address; readonly slot: Hash }
  | { readonly kind: 'checkpoint' | 'commit' | 'revert' | 'beginTransaction' | 'snapshot' }

const address = fc.constantFrom(...ADDRESSES)
const slot = fc.constantFrom(...SLOTS)
const value = fc.constantFrom(0n, 0n, 1n, 0x7fn, 0x80n, 0xffffn, 2n ** 255n).map(bigIntToBytes)
const kind = <const K extends string>(name: K) => fc.constant(name)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('setAccount'),
      address,
      nonce: fc.constantFrom(0n, 1n, 300n),
      balance: fc.constantFrom(0n, 127n, 128n, 10n ** 22n, 2n ** 255n),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('setCode'), address, code: fc.constantFrom(...CODES) }) },
  { weight: 10, arbitrary: fc.record({ kind: kind('setStorage'), address, slot, value }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('deleteAccount', 'clearStorage'), address }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('read'), address, slot }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('checkpoint') }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('commit', 'revert') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('beginTransaction', 'snapshot') }) },
)

/** Runs the operations on both. Returns both, with all snapshots and reads and their expected values. */
function run(operations: readonly Operation[]) {
  const state = new WorldState(emptyState())
  let model: Model = { accounts: new Map(), slots: new Map() }
  let original = copy(model)
  const checkpoints: Model[] = []
  const snapshots: { readonly snapshot: StateSnapshot; readonly model: Model }[] = []
  const reads: { readonly answered: readonly Uint8Array[]; readonly expected: readonly Uint8Array[] }[] = []
  const bornEmpty: Account = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH }
  for (const step of operations) {
    switch (step.kind) {
      case 'setAccount': {
        const codeHash = model.accounts.get(step.address)?.codeHash ?? EMPTY_CODE_HASH
        const account = { nonce: step.nonce, balance: step.balance, codeHash }
        state.setAccount(step.address, account)
        model.accounts.set(step.address, account)
        break
      }
      case 'setCode': {
        state.setCode(step.address, step.code)
        const account = model.accounts.get(step.address) ?? bornEmpty
        model.accounts.set(step.address, { ...account, codeHash: keccak256Hex(step.code) })
        break
      }
      case 'setStorage': {
        state.setStorage(step.address, step.slot, step.value)
        if (step.value.length === 0) {
          model.slots.delete(`${step.address} ${step.slot}`)
        } else {
          if (!model.accounts.has(step.address)) model.accounts.set(step.address, bornEmpty)
          model.slots.set(`${step.address} ${step.slot}`, step.value)
        }
        break
      }
      case 'deleteAccount':
        state.setAccount(step.address, undefined)
        model.accounts.delete(step.address)
        clearSlots(model, step.address)
        break
      case 'clearStorage':
        state.clearStorage(step.address)
        clearSlots(model, step.address)
        break
      case 'read':
        reads.push({
          answered: [state.storage(step.address, step.slot), state.originalStorage(step.address, step.slot)],
          expected: [model, original].map(({ slots }) => slots.get(`${step.address} ${step.slot}`) ?? EMPTY_BYTES),
        })
        break
      case 'checkpoint':
        state.checkpoint()
        checkpoints.push(copy(model))
        break
      case 'commit':
        if (checkpoints.pop()) state.commit()
        break
      case 'revert': {
        const before = checkpoints.pop()
        if (before) {
          state.revert()
          model = before
        }
        break
      }
      case 'beginTransaction':
        state.beginTransaction()
        original = copy(model)
        break
      case 'snapshot':
        snapshots.push({ snapshot: state.snapshot(), model: copy(model) })
    }
  }
  expectSame(state, model)
  for (const each of ADDRESSES) {
    for (const name of SLOTS) {
      expect(state.originalStorage(each, name)).toEqual(original.slots.get(`${each} ${name}`) ?? EMPTY_BYTES)
    }
  }
  snapshots.push({ snapshot: state.snapshot(), model: copy(model) })
  return { state, model, snapshots, reads }
}

describe('compared with plain maps and @ethereumjs/mpt', () => {
  test('reads, original values, snapshots and state roots agree after any operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 60, size: 'max' }), async (operations) => {
        const { state, model, snapshots, reads } = run(operations)
        expect(reads.map(({ answered }) => answered)).toEqual(reads.map(({ expected }) => expected))
        expectSame(state, model)
        for (const each of snapshots) {
          expectSame(each.snapshot, each.model)
          expect(each.snapshot.stateRoot()).toBe(await oracleRoot(each.model))
          expect(new Map(each.snapshot.accounts())).toEqual(each.model.accounts)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('proofs of accounts and slots, present and absent, verify against the state root', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40, size: 'max' }), async (operations) => {
        const { model, snapshots } = run(operations)
        const snapshot = snapshots.at(-1)?.snapshot as StateSnapshot
        fc.pre(model.accounts.size > 0)
        for (const each of ADDRESSES) {
          const proof = snapshot.prove(each, SLOTS)
          expect(proof.account).toEqual(model.accounts.get(each))
          expect(bytesToHex(keccak256(proof.accountProof[0] as Uint8Array))).toBe(snapshot.stateRoot())
          expect(await verify(each, proof.accountProof)).toEqual(proof.account ? encoded(proof.account, proof) : null)
          expect(proof.storageProof.map(({ slot: name }) => name)).toEqual(SLOTS)
          for (const { slot: name, value: proven, proof: nodes } of proof.storageProof) {
            expect(proven).toEqual(model.slots.get(`${each} ${name}`) ?? EMPTY_BYTES)
            expect(keccak256Hex(nodes[0] ?? RLP.encode(EMPTY_BYTES))).toBe(proof.storageHash)
            const verified = nodes.length === 0 ? null : await verify(name, nodes)
            expect(verified).toEqual(proven.length === 0 ? null : RLP.encode(proven))
          }
        }
      }),
      { numRuns: 100 },
    )
  })
})

const encoded = ({ nonce, balance, codeHash }: Account, { storageHash }: AccountProof) =>
  RLP.encode([bigIntToBytes(nonce), bigIntToBytes(balance), hexToBytes(storageHash), hexToBytes(codeHash)])
const verify = (key: Hex, proof: Uint8Array[]) =>
  verifyMerkleProof(hexToBytes(key), proof, { useKeyHashing: true, useKeyHashingFunction: keccak256 })

const [alice, bob] = ADDRESSES as [Address, Address]
const [zero, one] = SLOTS as [Hash, Hash]
const rich: Account = { nonce: 1n, balance: 10n ** 18n, codeHash: EMPTY_CODE_HASH }
const five = Uint8Array.of(5)
const six = Uint8Array.of(6)

test('a snapshot stays the same while the working state changes', () => {
  const state = new WorldState(emptyState())
  state.setAccount(alice, rich)
  state.setStorage(alice, zero, five)
  state.setCode(bob, Uint8Array.of(0x5f))
  const snapshot = state.snapshot()
  const root = snapshot.stateRoot()

  state.setAccount(alice, undefined)
  state.setCode(bob, EMPTY_BYTES)
  for (let i = 0; i < 100; i++) state.setAccount(`0x${keccak256Hex(Uint8Array.of(i)).slice(26)}`, rich)
  expect(state.snapshot().stateRoot()).not.toBe(root)

  expect(snapshot.account(alice)).toEqual(rich)
  expect(snapshot.storage(alice, zero)).toEqual(five)
  expect([...snapshot.slots(alice)]).toEqual([[zero, five]])
  expect(snapshot.code(bob)).toEqual(Uint8Array.of(0x5f))
  expect(new WorldState(snapshot).snapshot().stateRoot()).toBe(root)
})

test('an account deleted and recreated between two snapshots loses its storage', () => {
  const state = new WorldState(emptyState())
  state.setAccount(alice, rich)
  state.setStorage(alice, zero, five)
  state.snapshot()

  state.setAccount(alice, undefined)
  state.setAccount(alice, rich)
  state.setStorage(alice, one, six)
  expect(state.storage(alice, zero)).toEqual(EMPTY_BYTES)
  expect([...state.snapshot().slots(alice)]).toEqual([[one, six]])
})

test('reverting a deletion restores the storage, even with a snapshot in between', () => {
  const state = new WorldState(emptyState())
  state.setAccount(alice, rich)
  state.setStorage(alice, zero, five)
  const root = state.snapshot().stateRoot()

  state.checkpoint()
  state.setAccount(alice, undefined)
  const between = state.snapshot()
  state.revert()

  expect(between.account(alice)).toBeUndefined()
  expect(state.storage(alice, zero)).toEqual(five)
  expect(state.snapshot().stateRoot()).toBe(root)
})

test('a code replaced in a reverted checkpoint is still there, even with a snapshot in between', () => {
  const state = new WorldState(emptyState())
  state.setCode(alice, five)
  state.checkpoint()
  state.setCode(alice, six)
  state.snapshot()
  state.revert()
  expect(state.code(alice)).toEqual(five)
  expect(state.snapshot().code(alice)).toEqual(five)
})

test('the original value of a slot outlives writes, reverts and the deletion of its account', () => {
  const state = new WorldState(emptyState())
  state.setAccount(alice, rich)
  state.setStorage(alice, zero, five)
  state.beginTransaction()
  state.checkpoint()
  state.setStorage(alice, zero, six)
  expect(state.originalStorage(alice, zero)).toEqual(five)
  state.revert()
  state.setAccount(alice, undefined)
  expect(state.originalStorage(alice, zero)).toEqual(five)
  state.setStorage(alice, zero, six)
  expect(state.originalStorage(alice, zero)).toEqual(five)

  state.beginTransaction()
  expect(state.originalStorage(alice, zero)).toEqual(six)
})

test('a snapshot after changes that cancel out is the previous one', () => {
  const state = new WorldState(emptyState())
  state.setAccount(alice, rich)
  state.setStorage(alice, zero, five)
  const snapshot = state.snapshot()

  state.setStorage(alice, zero, six)
  state.setStorage(alice, zero, five)
  state.setAccount(alice, { ...rich })
  state.setStorage(bob, zero, EMPTY_BYTES)
  expect(state.snapshot()).toBe(snapshot)
  expect(snapshot.account(bob)).toBeUndefined()
})

test('evicted entries are read from the tries again, and unflushed ones are not evicted', () => {
  const state = new WorldState(emptyState())
  const slots = Array.from({ length: 70_000 }, (_, i) => toWord(i))
  state.setAccount(alice, rich)
  for (const each of slots) state.setStorage(alice, each, five)
  state.beginTransaction()
  expect(state.storage(alice, slots[69_999] as Hash)).toEqual(five)

  const root = state.snapshot().stateRoot()
  for (const each of slots) state.storage(bob, each)
  state.setStorage(alice, zero, six)
  state.beginTransaction()
  expect(state.originalStorage(alice, zero)).toEqual(six)
  expect(state.storage(alice, slots[69_999] as Hash)).toEqual(five)
  state.setStorage(alice, zero, five)
  expect(state.snapshot().stateRoot()).toBe(root)
})

test('a transaction within its checkpoint evicts what earlier ones have loaded, so memory does not grow with the chain', () => {
  const state = new WorldState(emptyState())
  state.setAccount(alice, rich)
  state.snapshot()
  const reads = vi.spyOn(Trie.prototype, 'get')
  const transaction = (read: () => void) => {
    state.checkpoint()
    state.beginTransaction()
    reads.mockClear()
    read()
    state.commit()
  }
  transaction(() => state.account(alice))
  expect(reads).not.toHaveBeenCalled()

  for (let i = 0; i < 10_000; i++) transaction(() => state.account(bytesToHex(padLeft(bigIntToBytes(BigInt(i)), 20))))
  transaction(() => expect(state.account(alice)).toEqual(rich))
  expect(reads).toHaveBeenCalledOnce()
})

test('commit and revert without a checkpoint, values with leading zeros and unknown code hashes are bugs', () => {
  const state = new WorldState(emptyState())
  expect(() => state.commit()).toThrow(InvariantError)
  expect(() => state.revert()).toThrow(InvariantError)
  expect(() => state.setStorage(alice, zero, Uint8Array.of(0, 1))).toThrow(InvariantError)
  expect(() => state.setStorage(alice, zero, new Uint8Array(33).fill(1))).toThrow(InvariantError)
  state.setAccount(alice, { ...rich, codeHash: toWord(1) })
  expect(() => state.code(alice)).toThrow(InvariantError)
  expect(() => state.snapshot()).toThrow(InvariantError)
})
