import { DerivedClock } from '#primitives/clock.ts'
import type { DevnetImport } from '#rpc-types/methods/devnet.ts'
import { ChainFileError } from './chain-file.ts'

/**
 * One import of a chain file: its progress, and the clock for its work, which throws at the next pause if it is
 * cancelled.
 */
export class ImportRun extends DerivedClock {
  #progress: DevnetImport = { step: 'blocks', done: 0, total: 0 }
  #isCancelled = false

  get progress(): DevnetImport {
    return this.#progress
  }

  /** @throws {ChainFileError} If the import was cancelled meanwhile. */
  async yield(): Promise<void> {
    await this.source.yield()
    this.check()
  }

  readonly tell = (step: DevnetImport['step'], done: number, total: number): void => {
    this.#progress = { step, done, total }
  }

  cancel(): void {
    this.#isCancelled = true
  }

  /** @throws {ChainFileError} If the import was cancelled. */
  check(): void {
    if (this.#isCancelled) throw new ChainFileError('the import was cancelled. Nothing has changed')
  }
}
