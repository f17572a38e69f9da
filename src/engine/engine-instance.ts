import { type Address, type Hash, hexToBytes } from '#primitives/hex.ts'
import { wasm } from './assembly/evm/index.ts?wasm'
import type { CodeCompiler, Compilation } from './code-compiler.ts'
import { EMPTY_CODE_HASH } from './empty-code-hash.ts'
import { type EngineExports, HARDFORK } from './engine-exports.ts'
import { LinearMemory } from './linear-memory.ts'
import { compileWasm, instantiateWasm, type WasmModule } from './web-assembly.ts'

/** Reads the state before a message; called at most once per message for each account and slot. */
export interface EngineHost {
  /** `undefined` if the account does not exist. The same object as before only if the account is unchanged. */
  account(address: Address): HostAccount | undefined
  /** Whether any slot is set; called for accounts with neither nonce nor code. */
  hasStorage(address: Address): boolean
  code(address: Address): Uint8Array
  /** Text with one character per byte, big-endian, without leading zeros. */
  storage(address: Address, slot: Hash): string
  /** `undefined` if unknown. */
  blockHash(number: number): Hash | undefined
  /** The number of the precompile at an address, 0 for none. */
  precompileAt(address: Address): number
}

interface HostAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash
}

/** The environment of all messages of a block; wei, gas, seconds. */
export interface EngineBlock {
  readonly coinbase: Address
  readonly timestamp: number
  readonly number: number
  readonly prevRandao: Hash
  readonly gasLimit: bigint
  readonly chainId: number
  readonly baseFee: bigint
  readonly blobBaseFee: bigint
}

/** The environment of one message, the same in all of its frames; wei. */
export interface EngineMessage {
  /** The sender. */
  readonly from: Address
  readonly gasPrice: bigint
  /** Versioned hashes of the transaction's blobs; none by default. */
  readonly blobHashes?: readonly Hash[]
  /** Sent with the message. */
  readonly value: bigint
}

/** Flags of the host's answer for an account; see `assembly/evm/host.ts`. */
const SAME = -1
const EXISTS = 1
const HAS_CODE = 2
const HAS_STORAGE = 4
const PRECOMPILE_SHIFT = 3
const BALANCE_OFFSET = 8
const CODE_HASH_OFFSET = 40
const ABSENT: HostAccount = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH }

const WORD_BYTES = 32

/** Events of an instance that is traced: see `assembly/evm/tracing.ts`. Places and sizes are in bytes. */
export interface EngineWatcher {
  /** @returns 1 to pause before the step. */
  step(
    opcode: number,
    pc: number,
    gas: bigint,
    stackTop: number,
    stackBottom: number,
    account: number,
    memory: number,
    memorySize: number,
    returned: number,
    returnedSize: number,
  ): number
  settle(gas: bigint, reason: number): void
  enter(opcode: number, from: number, to: number, value: number, gas: bigint, input: number, inputSize: number): void
  exit(status: number, reason: number, gas: bigint, output: number, outputSize: number): void
  log(at: number): void
  /** Steps since the last call; never called while steps are reported one by one. */
  record(pcs: number, gas: number, count: number): void
}

const COMPILATION: Compilation = { hotAfter: 2048, isLimited: true }

/** The compiler for code that runs often: loaded when first needed, since most chains never do. */
let compiling: typeof import('./code-compiler.ts') | undefined
let loading: Promise<void> | undefined

/** Without it the engine interprets; if it cannot be loaded, the next block that runs often tries again. */
export function loadCompiler(): Promise<void> {
  loading ??= import('./code-compiler.ts')
    .then((loaded) => {
      compiling = loaded
    })
    .finally(() => {
      loading = undefined
    })
  return loading
}

let compiled: WasmModule | undefined
let compiledWatched: WasmModule | undefined

/**
 * The compiled engine with its own memory, for one message at a time. Between messages it caches accounts and
 * slots, and reloads only those that have changed since, until a call of {@link forget}.
 */
export class EngineInstance {
  readonly exports: EngineExports
  readonly memory: LinearMemory
  /** Takes the input of each call to the console's address; a view that is only valid during the call. */
  onConsoleCall: ((input: Uint8Array) => void) | undefined
  #host: EngineHost | undefined
  #watcher: EngineWatcher | undefined
  #compiler: CodeCompiler | undefined
  #compilation = COMPILATION
  /** The engine asks for its size first, then for the bytes. */
  #code: Uint8Array | undefined
  readonly #fieldsAt: number
  readonly #environmentAt: number
  readonly #targetAt: number
  readonly #slotKeyAt: number
  /** All requests since the last reset, in order, with the last answers. */
  readonly #addresses: Address[] = []
  readonly #accounts: (HostAccount | undefined)[] = []
  readonly #slots: Hash[] = []
  readonly #values: string[] = []

  private constructor(module: WasmModule) {
    this.exports = instantiateWasm(module, {
      tracing: {
        step: (...values) => this.#watching.step(...values),
        settle: (...values) => this.#watching.settle(...values),
        enter: (...values) => this.#watching.enter(...values),
        exit: (...values) => this.#watching.exit(...values),
        log: (...values) => this.#watching.log(...values),
        record: (...values) => this.#watching.record(...values),
      } satisfies EngineWatcher,
      host: {
        loadAccount: (address, number) => this.#loadAccount(address, number),
        loadSlot: (account, slot, to, number) => this.#loadSlot(account, slot, to, number),
        loadCode: (address) => this.#loadCode(address),
        copyCode: (to) => this.memory.bytes.set(this.#code as Uint8Array, to),
        loadBlockHash: (number, to) => this.#loadBlockHash(number, to),
        hot: (code, block) => (this.#compile(code, block) ? 1 : 0),
        consoleCalled: (input, size) => this.onConsoleCall?.(this.memory.bytes.subarray(input, input + size)),
      },
    }) as EngineExports
    this.memory = new LinearMemory(this.exports.memory)
    this.#fieldsAt = this.exports.accountFieldsAt()
    this.#environmentAt = this.exports.environmentAt()
    this.#targetAt = this.exports.targetAt()
    this.#slotKeyAt = this.exports.slotKeyAt()
  }

  /** @param hardfork - Whose rules hold. @param codeSizeLimit - Bytes; by default those of EIP-170. */
  static async create(hardfork: keyof typeof HARDFORK, codeSizeLimit?: number): Promise<EngineInstance> {
    compiled ??= await compileWasm(wasm)
    const instance = new EngineInstance(compiled)
    instance.exports.setHardfork(HARDFORK[hardfork])
    if (codeSizeLimit !== undefined) instance.exports.setCodeSizeLimit(codeSizeLimit)
    return instance
  }

  /** An instance that reports its steps to {@link watcher}; slower than one that does not. */
  static async createWatched(hardfork: keyof typeof HARDFORK, codeSizeLimit?: number): Promise<EngineInstance> {
    // If loading fails, the next caller tries again.
    compiledWatched ??= await compileWasm((await import('./assembly/evm/index.ts?traced-wasm')).wasm)
    const instance = new EngineInstance(compiledWatched)
    instance.exports.setHardfork(HARDFORK[hardfork])
    if (codeSizeLimit !== undefined) instance.exports.setCodeSizeLimit(codeSizeLimit)
    return instance
  }

  /** Runs until the message is over, has to wait, or has spent the gas. @returns One of `RUN`. */
  run(budget: bigint): number {
    this.#compiler?.goOn()
    return this.exports.run(budget)
  }

  /** Says what is compiled, instead of the default. */
  set compilation(compilation: Compilation) {
    this.#compilation = compilation
    this.#compiler = undefined
    this.exports.setHotAfter(compilation.hotAfter)
  }

  set watcher(watcher: EngineWatcher) {
    this.#watcher = watcher
  }

  /** The host for the next message. */
  set host(host: EngineHost) {
    this.#host = host
  }

  /** For a message that knows nothing of those before it; the first is one. */
  forget(): void {
    this.exports.forget()
    this.#addresses.length = 0
    this.#accounts.length = 0
    this.#slots.length = 0
    this.#values.length = 0
  }

  /** Calls {@link forget}, and drops all references from the last message. */
  letGo(): void {
    this.forget()
    this.#host = undefined
    this.#watcher = undefined
    this.#code = undefined
  }

  /** The host has taken over nonce and balance of an account: its answer from now on. */
  keepAccount(number: number, account: HostAccount): void {
    this.#accounts[number - 1] = account
  }

  /** Keeps the value of a slot. */
  keepValue(slot: number, value: string): void {
    if (slot !== 0) this.#values[slot - 1] = value
  }

  /** The address of a requested account, by its number. */
  addressOf(account: number): Address {
    return this.#addresses[account - 1] as Address
  }

  /** The key of a requested slot, by its number; `undefined` for 0. */
  slotOf(slot: number): Hash | undefined {
    return this.#slots[slot - 1]
  }

  /** Addresses that are warm in every message from the next on. */
  writePrecompiles(addresses: readonly Address[]): void {
    let at = this.exports.reservePrecompiles(addresses.length)
    for (const address of addresses) {
      this.memory.writeHex(at, address)
      at += 32
    }
  }

  /** For all later messages; the fields between gas price and value in `assembly/evm/environment.ts`. */
  writeBlock(block: EngineBlock): void {
    const { memory } = this
    const at = this.#environmentAt
    memory.writeHex(at + 2 * WORD_BYTES, block.coinbase)
    memory.writeWord(at + 3 * WORD_BYTES, BigInt(block.timestamp))
    memory.writeWord(at + 4 * WORD_BYTES, BigInt(block.number))
    memory.writeHex(at + 5 * WORD_BYTES, block.prevRandao)
    memory.writeWord(at + 6 * WORD_BYTES, block.gasLimit)
    memory.writeWord(at + 7 * WORD_BYTES, BigInt(block.chainId))
    memory.writeWord(at + 8 * WORD_BYTES, block.baseFee)
    memory.writeWord(at + 9 * WORD_BYTES, block.blobBaseFee)
  }

  /** For the message that begins. */
  writeMessage({ from, gasPrice, value, blobHashes }: EngineMessage): void {
    const { memory } = this
    const at = this.#environmentAt
    memory.writeHex(at, from)
    memory.writeWord(at + WORD_BYTES, gasPrice)
    memory.writeWord(at + 10 * WORD_BYTES, value)
    if (blobHashes === undefined || blobHashes.length === 0) return
    let hashAt = this.exports.reserveBlobHashes(blobHashes.length)
    for (const hash of blobHashes) {
      memory.writeHex(hashAt, hash)
      hashAt += WORD_BYTES
    }
  }

  /** For what is called or warmed next. */
  writeTarget(address: Address): void {
    this.memory.writeHex(this.#targetAt, address)
  }

  /** Writes the key of a slot. */
  writeSlotKey(slot: Hash): void {
    this.memory.writeHex(this.#slotKeyAt, slot)
  }

  get #watching(): EngineWatcher {
    if (!this.#watcher) throw new Error('nobody watches the engine')
    return this.#watcher
  }

  get #asked(): EngineHost {
    if (!this.#host) throw new Error('the engine has no host')
    return this.#host
  }

  #compile(code: number, block: number): boolean {
    if (!compiling) {
      loadCompiler().catch(() => {})
      return false
    }
    this.#compiler ??= new compiling.CodeCompiler(this.exports, this.#compilation.isLimited)
    return this.#compiler.compile(code, block)
  }

  #loadAccount(at: number, known: number): number {
    const number = known || this.#addresses.push(this.memory.readAddress(at))
    const address = this.addressOf(number)
    const account = this.#asked.account(address)
    const mayBeMade = account !== undefined && account.nonce === 0n && account.codeHash === EMPTY_CODE_HASH
    // The storage of one that may be made may have changed as well.
    if (known !== 0 && account === this.#accounts[known - 1] && !mayBeMade) return SAME
    this.#accounts[number - 1] = account
    const precompile = this.#asked.precompileAt(address) << PRECOMPILE_SHIFT
    this.#writeAccount(account ?? ABSENT)
    if (account === undefined) return precompile
    if (account.codeHash !== EMPTY_CODE_HASH) return precompile | EXISTS | HAS_CODE
    return precompile | EXISTS | (mayBeMade && this.#asked.hasStorage(address) ? HAS_STORAGE : 0)
  }

  #writeAccount({ nonce, balance, codeHash }: HostAccount): void {
    const { memory } = this
    memory.view.setBigUint64(this.#fieldsAt, nonce, true)
    memory.writeWord(this.#fieldsAt + BALANCE_OFFSET, balance)
    if (codeHash !== EMPTY_CODE_HASH) memory.bytes.set(hexToBytes(codeHash), this.#fieldsAt + CODE_HASH_OFFSET)
  }

  #loadSlot(account: number, slotAt: number, to: number, known: number): number {
    const number = known || this.#slots.push(this.memory.readKey(slotAt))
    const value = this.#asked.storage(this.addressOf(account), this.#slots[number - 1] as Hash)
    if (known !== 0 && value === this.#values[known - 1]) return SAME
    this.#values[number - 1] = value
    this.memory.writeText(to, value)
    return 0
  }

  #loadCode(at: number): number {
    this.#code = this.#asked.code(this.memory.readAddress(at))
    return this.#code.length
  }

  #loadBlockHash(number: number, to: number): void {
    this.memory.writeHex(to, this.#asked.blockHash(number) ?? '0x')
  }
}
