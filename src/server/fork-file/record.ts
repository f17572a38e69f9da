import { ForkError } from '#node/fork/fork-error.ts'
import type { Remote } from '#node/fork/state-source.ts'
import type { ForkCommand } from '#server/cli/fork-flags.ts'
import { runCommand } from '#server/cli/run-command.ts'
import type { ServerOptions } from '#server/http/start-server.ts'
import { encodeForkFile } from './fork-file-text.ts'
import { readForkFile, readForkText, writeForkText } from './fork-files.ts'
import { beginRecording, type ForkFileDeps, noRemote, remoteOf } from './open-recording.ts'
import type { RecordedFork } from './recorded-fork.ts'
import { Recorder } from './recorder.ts'
import { serveRecorder } from './recording-server.ts'
import { withRecording } from './recordings.ts'

/** Milliseconds between two writes while the command runs, so that not even a killed process loses much. */
const WRITE_EVERY_MS = 5_000

export interface RecordCommand {
  readonly file: string
  readonly fork?: ForkCommand
  /** The program and its arguments. */
  readonly command: readonly string[]
}

export interface RecordDeps extends ForkFileDeps {
  readonly log: ServerOptions['log']
  /** The environment of the command. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Runs a command, and records what its chains ask of the real one into a fork file, which keeps what it has.
 *
 * @returns The command's status; 1 if that is 0 and nothing asked for the file.
 * @throws {ForkError} If the endpoint cannot be recorded, or the file cannot be read or written.
 * @throws {UsageError} If the command cannot be started.
 */
export async function record({ file, fork: endpoint, command }: RecordCommand, deps: RecordDeps): Promise<number> {
  const { clock, print, log, env } = deps
  const remote = endpoint ? remoteOf(endpoint, print) : noRemote(file)
  try {
    const text = await readForkText(file)
    if (text === undefined && !endpoint) {
      throw new ForkError(`there is no ${file} yet: --fork-url says of which chain it is recorded`)
    }
    const found = text === undefined ? undefined : await readForkFile(file, { clock, remote }, text)
    if (found && endpoint) await requireSame(file, found, endpoint, remote)
    const recorded = found ?? (await beginRecording(remote, endpoint ?? {}, clock))
    const before = found ? countsOf(found) : { accounts: 0, slots: 0, answers: 0 }
    const writer = new Writer(file, text, recorded, deps)
    const recorder = new Recorder(recorded, remote, () => writer.schedule())
    let isAsked = false
    const ask = (method: string, params: readonly unknown[]) => {
      isAsked = true
      return recorder.ask(method, params)
    }
    const server = await serveRecorder({ ask }, log)
    let status: number
    try {
      const url = `http://127.0.0.1:${server.port}`
      status = await runCommand(command, url, await withRecording(file, url, env))
    } finally {
      await server.close()
      if (isAsked) await writer.end()
    }
    if (isAsked) {
      print(describe(file, recorded, before))
      return status
    }
    print(`Nothing has asked for ${file}: a chain takes part by fork: '${file}', or --fork ${file}.`)
    return status === 0 ? 1 : status
  } finally {
    remote.close()
  }
}

/** @throws {ForkError} If a file is about another chain or block than what is asked for. */
async function requireSame(
  file: string,
  { fork }: RecordedFork,
  { blockNumber }: ForkCommand,
  remote: Remote,
): Promise<void> {
  const { number } = fork.header.header
  if (blockNumber !== undefined && blockNumber !== number) {
    throw new ForkError(`${file} is of block ${number}, not ${blockNumber}: npx blinknet update moves it`)
  }
  await fork.checkBlock(remote)
}

interface Counts {
  readonly accounts: number
  readonly slots: number
  readonly answers: number
}

function countsOf(recorded: RecordedFork): Counts {
  const accounts = recorded.accounts()
  return {
    accounts: accounts.length,
    slots: accounts.reduce((sum, [, slots]) => sum + slots.length, 0),
    answers: recorded.answers().length,
  }
}

function describe(file: string, recorded: RecordedFork, before: Counts): string {
  const after = countsOf(recorded)
  const { chainId, header } = recorded.fork
  const part = (name: keyof Counts, words: string) => `${after[name]} ${words} (${after[name] - before[name]} new)`
  const parts = [part('accounts', 'accounts'), part('slots', 'slots'), part('answers', 'answers about the time before')]
  return `${file}: block ${header.header.number} of chain ${chainId}, ${parts.join(', ')}.`
}

/** Writes a recording now and then, and at its end, together with what others have written meanwhile. */
class Writer {
  readonly #file: string
  readonly #recorded: RecordedFork
  readonly #deps: ForkFileDeps
  /** What the file had when it was last read or written. */
  #text: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(file: string, text: string | undefined, recorded: RecordedFork, deps: ForkFileDeps) {
    this.#file = file
    this.#text = text
    this.#recorded = recorded
    this.#deps = deps
  }

  schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#write().catch((error: unknown) => this.#deps.print((error as Error).message))
    }, WRITE_EVERY_MS)
  }

  /** @throws {ForkError} If it cannot be written. */
  async end(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
  }

  async #write(): Promise<void> {
    const there = await readForkText(this.#file)
    const own = encodeForkFile(this.#recorded)
    const text = there === undefined || there === this.#text ? own : await this.#merge(there, own)
    await writeForkText(this.#file, text)
    this.#text = text
  }

  /** Another recording has written the file: what it has stays. */
  async #merge(there: string, own: string): Promise<string> {
    const deps = { clock: this.#deps.clock, remote: noRemote(this.#file) }
    const other = await readForkFile(this.#file, deps, there)
    const { hash, header } = other?.fork.header ?? this.#recorded.fork.header
    if (hash !== this.#recorded.fork.header.hash) {
      const meanwhile = `${this.#file} is meanwhile of block ${header.number} (${hash})`
      throw new ForkError(`${meanwhile}, and nothing is written over it: record again`)
    }
    const merged = await readForkFile(this.#file, deps, there + own)
    return merged ? encodeForkFile(merged) : own
  }
}
