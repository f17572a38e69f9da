import path from 'node:path'
import { RemoteEndpoint } from '#endpoint/remote-endpoint.ts'
import type { ForkRecord } from '#node/fork/fork.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import { readForkHeader } from '#node/fork/fork-header.ts'
import { openedFork } from '#node/fork/open-fork.ts'
import type { Remote } from '#node/fork/state-source.ts'
import type { NodeDeps } from '#node/node.ts'
import { harmlessLine } from '#primitives/harmless-line.ts'
import { toQuantity } from '#primitives/hex.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { FORK_DEFAULTS } from '#server/cli/fork-flags.ts'
import { begin, type Closable, type StartedFork } from '#server/fork/begin-fork.ts'
import { readForkFile } from './fork-files.ts'
import type { RecordedFork } from './recorded-fork.ts'
import { isByHash, isOfSystem, knownState } from './recorder.ts'
import { recordingOf } from './recordings.ts'

/** Values that are told of one asker, and most characters of its name and of a value. */
const MAX_TOLD = 100
const LONGEST = 300

/** What a chain was asked for that its fork file does not have. */
export interface Missing {
  /** Values that were refused. */
  readonly values: readonly string[]
  /** Transactions and blocks by their hashes, of which it was said that there are none. */
  readonly hashes: readonly string[]
}

/** The part of another chain that a fork file has, in the place of its endpoint. */
export class ForkReplay implements Remote {
  readonly name: string
  readonly isAbsent = true
  readonly #file: string
  #recorded: RecordedFork | undefined
  #asker: string | undefined
  readonly #values = new Set<string>()
  readonly #hashes = new Set<string>()

  /** @param file - The file's name, as who asks for it says it. */
  constructor(file: string) {
    this.#file = file
    this.name = path.basename(file)
  }

  /** Takes what the file has. */
  open(recorded: RecordedFork): void {
    this.#recorded = recorded
  }

  /** From here on what is missing is told as asked by this test. */
  begin(asker: string): void {
    this.#asker = harmlessLine(asker, LONGEST)
    this.#values.clear()
    this.#hashes.clear()
  }

  /** What was missing since then. */
  asked(): Missing {
    return { values: [...this.#values], hashes: [...this.#hashes] }
  }

  /** What was missing, and from here on nobody is named. */
  end(): Missing {
    this.#asker = undefined
    return this.asked()
  }

  /** How more is recorded. */
  get advice(): string {
    return `npx blinknet record ${this.#file} --fork-url URL -- COMMAND`
  }

  ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const { fork } = this.#recorded ?? {}
    if (fork && method === 'eth_chainId') return Promise.resolve(toQuantity(fork.chainId))
    if (fork && method === 'eth_blockNumber') return Promise.resolve(this.#recorded?.at)
    const known = this.#recorded?.answer(method, params)
    if (known && 'result' in known) return Promise.resolve(known.result)
    if (known) {
      const { code, message, data } = known.error
      const why = `${this.name} has the error that was answered to ${method}: ${message}`
      return Promise.reject(new ForkError(why, { answered: { code, message, data } }))
    }
    const state = this.#recorded && knownState(this.#recorded, method, params)
    if (state !== undefined) return Promise.resolve(state)
    const what = valueIn(method, params)
    if (isByHash(method, params)) {
      note(this.#hashes, what)
      return Promise.resolve(null)
    }
    // Blocks go on without what they write, and say so.
    if (!isOfSystem(params[0])) note(this.#values, what)
    const asker = this.#asker === undefined ? '' : `, which ${this.#asker} asks for`
    return Promise.reject(new ForkError(`${this.#file} does not have ${what}${asker}: record it, ${this.advice}`))
  }
}

function note(set: Set<string>, what: string): void {
  if (set.size < MAX_TOLD) set.add(what)
}

/** What a call asks for, in words. */
function valueIn(method: string, params: readonly unknown[]): string {
  const [first, second] = params
  if (method === 'eth_getCode') return `account ${shown(first)}`
  if (method === 'eth_getProof' && Array.isArray(second)) {
    const [slot, ...more] = second as unknown[]
    if (slot === undefined) return `account ${shown(first)}`
    return `slot ${shown(slot)}${more.length > 0 ? ` and ${more.length} more` : ''} of account ${shown(first)}`
  }
  return `the answer to ${harmlessLine(`${method} ${JSON.stringify(params)}`, LONGEST)}`
}

function shown(value: unknown): string {
  return harmlessLine(String(value), LONGEST)
}

/** A fork that begins with a file. */
export interface ReplayedFork extends StartedFork {
  /** Tells what was missing; `undefined` while the file is being recorded. */
  readonly replay: ForkReplay | undefined
}

/**
 * Begins a fork with a fork file; while a command records that file, with the recording.
 *
 * @throws {ForkError} If there is no such file, or not all of it is proven.
 */
export async function beginFromFile(
  file: string,
  options: NodeOptions,
  deps: Omit<NodeDeps, 'fork'>,
): Promise<ReplayedFork> {
  const recording = await recordingOf(file)
  if (recording !== undefined) {
    return { ...(await begin(recordingEndpoint(recording, deps), {}, options, deps)), replay: undefined }
  }
  const replay = new ForkReplay(file)
  const endpoint = Object.assign(replay, { close() {} })
  const started = await begin(endpoint, {}, options, deps, async (remote) => {
    const found = await readForkFile(file, { clock: deps.clock, remote })
    if (!found) throw new ForkError(`there is no ${file}: record it, ${replay.advice}`)
    replay.open(found)
    return openedFork(found.fork)
  })
  return { ...started, replay }
}

/**
 * Opens the fork that the journal has, which is one of the block of a fork file.
 *
 * @param kept - What the chain's record says of its fork.
 * @throws {ForkError} If it is none, or one of another block.
 */
export async function reopenFromFile(
  file: string,
  kept: ForkRecord | undefined,
  options: NodeOptions,
  deps: Omit<NodeDeps, 'fork'>,
): Promise<ReplayedFork> {
  const replay = new ForkReplay(file)
  const found = await readForkFile(file, { clock: deps.clock, remote: replay })
  if (!found) throw new ForkError(`there is no ${file}: record it, ${replay.advice}`)
  const { hash, header } = found.fork.header
  if (kept && readForkHeader(kept.block).hash !== hash) {
    throw new ForkError(`the chain is a fork of another block than ${header.number} (${hash}), of which ${file} is`)
  }
  replay.open(found)
  return { ...(await begin(Object.assign(replay, { close() {} }), {}, options, deps)), replay }
}

/** What nobody needs is not asked for, so that the recording does not depend on times. */
function recordingEndpoint(url: string, { log }: Pick<NodeDeps, 'log'>): Closable {
  const endpoint = new RemoteEndpoint({
    ...FORK_DEFAULTS,
    url,
    onWait: (line) => log('warn', line),
    defer: setImmediate,
  })
  return { name: endpoint.name, looksAhead: false, ask: endpoint.ask, close: () => endpoint.close() }
}
