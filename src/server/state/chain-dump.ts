import { constants } from 'node:fs'
import { access, open, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Cancel, Clock } from '#primitives/clock.ts'
import { isChainFile, NAMES_IN_DIRECTORY, StateFileError } from './read-state-file.ts'
import { replaceFile, statIfThere } from './replace-file.ts'

/**
 * The file that a dump to `name` writes: the file itself, or one in the directory.
 *
 * @throws {StateFileError} If it cannot be written, or is there and is something else than a chain file.
 */
export async function dumpTarget(name: string): Promise<string> {
  try {
    const found = await statIfThere(name)
    if (!found && /[/\\]$/.test(name)) throw new StateFileError('there is no such directory')
    const target = found?.isDirectory() ? path.join(name, NAMES_IN_DIRECTORY[0]) : name
    await access(path.dirname(target), constants.W_OK)
    const there = found?.isDirectory() ? await statIfThere(target) : found
    if (!there) return target
    if (!there.isFile() || !(await isOurs(target))) {
      throw new StateFileError(
        'it is there and is no chain file, and a dump would replace it. Load it with --load-state, and write to another',
      )
    }
    // A link goes on pointing at the file.
    return await realpath(target)
  } catch (error) {
    if (error instanceof StateFileError) throw error
    throw new StateFileError((error as Error).message, { cause: error })
  }
}

/** Whether a file is a chain file, or empty. */
async function isOurs(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(8), 0, 8, 0)
    return bytesRead === 0 || isChainFile(buffer)
  } finally {
    await handle.close()
  }
}

export interface ChainDumpDeps {
  /** As {@link dumpTarget} returns it. */
  readonly target: string
  /** Milliseconds from one write to the next; without it there is only the last one. */
  readonly intervalMs?: number
  readonly clock: Clock
  /** The chain as a file. */
  readonly exportChain: () => Promise<Uint8Array>
  /** Told of a write that failed, unless it was the last. */
  readonly onFailure: (error: StateFileError) => void
}

/** Writes a chain to a file now and then, and at its end. The file is the one before or the one after, never a part. */
export class ChainDump {
  readonly #deps: ChainDumpDeps
  #cancel: Cancel | undefined
  #writing: Promise<void> = Promise.resolve()
  #ended = false

  constructor(deps: ChainDumpDeps) {
    this.#deps = deps
    this.#schedule()
  }

  /**
   * Writes the chain a last time.
   *
   * @throws {StateFileError} If it cannot be written; the file has what it had.
   */
  async end(): Promise<void> {
    this.#ended = true
    this.#cancel?.()
    await this.#writing
    await this.#write()
  }

  #schedule(): void {
    const { intervalMs, clock, onFailure } = this.#deps
    if (intervalMs === undefined || this.#ended) return
    this.#cancel = clock.schedule(async () => {
      this.#writing = this.#write().catch((error: unknown) => onFailure(error as StateFileError))
      await this.#writing
      this.#schedule()
    }, intervalMs)
  }

  async #write(): Promise<void> {
    const { target, exportChain } = this.#deps
    try {
      await replaceFile(target, await exportChain())
    } catch (error) {
      throw new StateFileError(`the chain could not be written to ${target}: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }
}
