import { AnswerError } from '#node/fork/answers.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import { subjectOf } from '#node/fork/routes.ts'
import type { Remote } from '#node/fork/state-source.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '#node/spec/system-contracts.ts'
import { MissingStateError } from '#node/state/missing-state.ts'
import { EMPTY_CODE_HASH } from '#node/state/state-reader.ts'
import type { AccountProof } from '#node/state/state-snapshot.ts'
import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, toQuantity, toWord } from '#primitives/hex.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { RecordedFork } from './recorded-fork.ts'

/** Slots of one `eth_getProof`. */
const MAX_SLOTS = 1_024
/** Entries of the ring buffers of EIP-2935 and EIP-4788. */
const ENTRIES = 8_191
/**
 * Ring slots that are recorded together, from a multiple of it on, and those after them: blocks of a replay may come some
 * seconds later than those of the recording, and what is recorded does not depend on when exactly they came.
 */
const WINDOW = 16

/** Answers the calls of forks as the endpoint does at the recorded block, and records what it answers. */
export class Recorder {
  readonly recorded: RecordedFork
  readonly #remote: Remote
  readonly #onNew: () => void
  /** Why the endpoint has not proven what was asked last. */
  #failure: string | undefined

  /** @param onNew - Called when the recording has something new. */
  constructor(recorded: RecordedFork, remote: Remote, onNew: () => void = () => {}) {
    this.recorded = recorded
    this.#remote = remote
    this.#onNew = onNew
  }

  /**
   * Answers a call of a fork.
   *
   * @throws {ForkError} If the endpoint cannot be asked, answers with an error, or its answer is refused.
   */
  async ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const { fork, at } = this.recorded
    const [first, second, third] = params
    if (method === 'eth_chainId') return toQuantity(fork.chainId)
    if (method === 'eth_blockNumber') return at
    if (method === 'eth_getProof' && third === at) return this.#proof(addressIn(first), slotsIn(second))
    if (method === 'eth_getCode' && second === at) return this.#code(addressIn(first))
    const isNewest = method === 'eth_getBlockByNumber' && first === 'latest'
    return this.#answer(method, isNewest ? [at, second] : params)
  }

  async #proof(address: Address, slots: readonly Hash[]): Promise<unknown> {
    await this.prove(address, slots)
    return proofOf(address, await this.recorded.prove(address, slots))
  }

  async #code(address: Address): Promise<string> {
    await this.prove(address, [])
    return bytesToHex(this.recorded.fork.block.state.code(address))
  }

  /** Records an account and slots of it. @throws {ForkError} If they cannot be had. */
  async prove(address: Address, slots: readonly Hash[]): Promise<void> {
    const all = around(address, slots)
    try {
      await this.recorded.prove(address, all)
      this.#failure = undefined
    } catch (error) {
      if (error instanceof ForkError) this.#failure = error.message
      throw error
    }
    if (this.recorded.note(address, all)) this.#onNew()
  }

  /** Asks what no state root proves, unless it was answered before. */
  async #answer(method: string, params: readonly unknown[]): Promise<unknown> {
    const { recorded } = this
    const subject = subjectOf(method as MethodName)
    if (subject.about === 'nothing' || subject.about === 'own') {
      throw new ForkError(`${method} is nothing that a fork asks: a recording passes on only what reads a chain`)
    }
    if (subject.about === 'state' && params[subject.at] === recorded.at) {
      const why = this.#failure === undefined ? '' : `: ${this.#failure}`
      throw new ForkError(`${method} of the fork's block is not recorded, as nothing proves it${why}`)
    }
    const known = recorded.answer(method, params)
    if (known && 'result' in known) return known.result
    try {
      const result = await this.#remote.ask(method, params)
      // A replay says that there is nothing of any hash that it does not have.
      if (result !== null || !isByHash(method, params)) this.#put(method, params, { result })
      return result
    } catch (error) {
      if (error instanceof AnswerError) {
        throw new ForkError(`what ${this.#remote.name} answers to ${method} is refused: ${error.message}`, {
          cause: error,
        })
      }
      if (error instanceof ForkError && error.answered) {
        const { code, message, data } = error.answered
        this.#put(method, params, { error: { code, message, ...(data !== undefined && { data }) } })
      }
      throw error
    }
  }

  #put(...answer: Parameters<RecordedFork['put']>): void {
    if (this.recorded.put(...answer)) this.#onNew()
  }
}

/** A proof as `eth_getProof` answers it. */
function proofOf(address: Address, { account, accountProof, storageHash, storageProof }: AccountProof): unknown {
  return {
    address,
    accountProof: accountProof.map(bytesToHex),
    balance: toQuantity(account?.balance ?? 0n),
    nonce: toQuantity(account?.nonce ?? 0n),
    codeHash: account?.codeHash ?? EMPTY_CODE_HASH,
    storageHash,
    storageProof: storageProof.map(({ slot, value, proof }) => ({
      key: slot,
      value: toQuantity(bytesToBigInt(value)),
      proof: proof.map(bytesToHex),
    })),
  }
}

/**
 * Answers a call about the state of the recorded block without asking anything.
 *
 * @returns `undefined` if it is no such call, or something of it is not known.
 */
export function knownState({ fork, at }: RecordedFork, method: string, params: readonly unknown[]): unknown {
  const [address, second, third] = params
  const { state } = fork.block
  try {
    if (method === 'eth_getCode' && second === at) return bytesToHex(state.code(addressIn(address)))
    if (method !== 'eth_getProof' || third !== at) return undefined
    return proofOf(addressIn(address), state.prove(addressIn(address), slotsIn(second)))
  } catch (error) {
    if (error instanceof MissingStateError) return undefined
    throw error
  }
}

/** Whether a call asks for one thing by its hash, which may be a hash of nothing. */
export function isByHash(method: string, params: readonly unknown[]): boolean {
  const subject = subjectOf(method as MethodName)
  if (subject.about === 'transaction') return true
  const ref = subject.about === 'block' ? params[subject.at] : undefined
  return typeof ref === 'string' && /^0x[\da-f]{64}$/i.test(ref)
}

/** Whether blocks ask for what an account has on their own, for their system calls. */
export function isOfSystem(address: unknown): boolean {
  return address === BEACON_ROOTS_ADDRESS || address === HISTORY_STORAGE_ADDRESS
}

/** Slots, with those of a ring buffer that the next blocks may write. */
function around(address: Address, slots: readonly Hash[]): readonly Hash[] {
  if (!isOfSystem(address)) return slots
  const all = new Set(slots)
  for (const slot of slots) {
    const index = BigInt(slot)
    if (index >= 2 * ENTRIES) continue
    const back = (Number(index) % ENTRIES) % WINDOW
    for (let i = 0; i < 2 * WINDOW; i++) all.add(ringSlot(slot, i - back))
  }
  return [...all]
}

/** The slot that is so many entries further in the same ring buffer; a slot of none stays itself. */
export function ringSlot(slot: Hash, further: number): Hash {
  const index = BigInt(slot)
  if (index >= 2 * ENTRIES) return slot
  const ring = index >= ENTRIES ? ENTRIES : 0
  return toWord(ring + ((((Number(index) - ring + further) % ENTRIES) + ENTRIES) % ENTRIES))
}

/** @throws {ForkError} */
function addressIn(value: unknown): Address {
  if (typeof value === 'string' && /^0x[\da-f]{40}$/i.test(value)) return value.toLowerCase() as Address
  throw new ForkError('a recording proves accounts by their address of 20 bytes')
}

/** @throws {ForkError} */
function slotsIn(value: unknown): readonly Hash[] {
  const slots = Array.isArray(value) ? (value as readonly unknown[]) : []
  if (slots.length <= MAX_SLOTS && slots.every((slot) => typeof slot === 'string' && /^0x[\da-f]{64}$/i.test(slot))) {
    return slots.map((slot) => (slot as string).toLowerCase() as Hash)
  }
  throw new ForkError(`a recording proves at most ${MAX_SLOTS} slots at a time, by their 32 bytes`)
}
