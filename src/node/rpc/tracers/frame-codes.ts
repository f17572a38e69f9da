import type { Address, Hash } from '#primitives/hex.ts'
import { keccak256Hex } from '../../crypto/keccak.ts'
import type { FrameExit, FrameStart, TraceStart } from '../../evm/tracer.ts'
import { delegateOf } from '../../evm/transactions/authorization.ts'
import { isSince } from '../../spec/rules.ts'
import type { StateReader } from '../../state/state-reader.ts'
import { EMPTY_CODE_HASH } from '../../state/state-snapshot.ts'

/** The code that a frame runs. */
export interface CodeOfFrame {
  /** Where it is: the account that was called, or the one that it delegates to. */
  readonly address: Address
  /** `undefined` for a precompile, and without code. */
  readonly hash: Hash | undefined
  /** The code's bytes; only to be asked for if the hash is known. */
  readonly bytes: () => Uint8Array
}

/** The parts of an engine that decide which code runs. */
interface CodeRules {
  readonly hardfork: Parameters<typeof isSince>[0]
  readonly precompiles: ReadonlySet<Address>
}

interface StoredCode {
  readonly hash: Hash
  readonly bytes: Uint8Array
}

/** An address and the code that was known there before. */
type Change = readonly [Address, StoredCode | undefined]

const nothing = (): Uint8Array => new Uint8Array(0)

/** The codes of accounts while a transaction runs: an engine writes those of contracts that it creates only at its end. */
export class CurrentCodes {
  readonly #state: StateReader
  readonly #created = new Map<Address, StoredCode>()
  /** What {@link #created} said before each change, oldest first. */
  readonly #changes: Change[] = []
  /** The open frames: for each the number of changes before it, and what it creates. */
  readonly #open: { readonly changes: number; readonly creates: Address | undefined }[] = []

  constructor(state: StateReader) {
    this.#state = state
  }

  /** Call this at the start of each frame. */
  enter(creates: Address | undefined): void {
    this.#open.push({ changes: this.#changes.length, creates })
  }

  /** Call this at the end of each frame. */
  exit({ output, failure }: FrameExit): void {
    const frame = this.#open.pop()
    if (!frame) return
    if (failure) this.#undo(frame.changes)
    else if (frame.creates) this.#create(frame.creates, output)
  }

  /** The code at this moment; that of a delegated account names its delegate. */
  at(address: Address): { readonly hash: Hash; readonly bytes: () => Uint8Array } {
    const created = this.#created.get(address)
    if (created) return { hash: created.hash, bytes: () => created.bytes }
    return { hash: this.#state.account(address)?.codeHash ?? EMPTY_CODE_HASH, bytes: () => this.#state.code(address) }
  }

  #create(address: Address, bytes: Uint8Array): void {
    this.#changes.push([address, this.#created.get(address)])
    this.#created.set(address, { hash: keccak256Hex(bytes), bytes })
  }

  #undo(until: number): void {
    while (this.#changes.length > until) {
      const [address, before] = this.#changes.pop() as Change
      if (before) this.#created.set(address, before)
      else this.#created.delete(address)
    }
  }
}

/** The account that a frame creates; `undefined` for a call. */
export function createdBy({ type, to }: Pick<FrameStart, 'type' | 'to'>): Address | undefined {
  return type === 'CREATE' || type === 'CREATE2' ? to : undefined
}

/** Finds out which code each frame of a transaction runs, also of contracts that the transaction itself has created. */
export class FrameCodes {
  readonly #rules: CodeRules
  readonly #start: TraceStart
  readonly #codes: CurrentCodes

  constructor(rules: CodeRules, start: TraceStart) {
    this.#rules = rules
    this.#start = start
    this.#codes = new CurrentCodes(start.state)
  }

  /** Call this at the start of each frame. */
  enter(frame: FrameStart): CodeOfFrame {
    const { type, to, input } = frame
    const creates = createdBy(frame)
    this.#codes.enter(creates)
    if (creates) return { address: to, hash: input.length > 0 ? keccak256Hex(input) : undefined, bytes: () => input }
    if (type === 'SELFDESTRUCT' || this.#isPrecompile(to)) return { address: to, hash: undefined, bytes: nothing }
    const delegate = isSince(this.#rules.hardfork, 'Prague') ? delegateOf(this.#codes.at(to).bytes()) : undefined
    const address = delegate ?? to
    const { hash, bytes } = this.#codes.at(address)
    return { address, hash: hash === EMPTY_CODE_HASH ? undefined : hash, bytes }
  }

  /** Call this at the end of each frame. */
  exit(exit: FrameExit): void {
    this.#codes.exit(exit)
  }

  #isPrecompile(address: Address): boolean {
    return (this.#start.env.precompiles ?? this.#rules.precompiles).has(address)
  }
}
