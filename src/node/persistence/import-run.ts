import type { Cancel, Clock } from '#primitives/clock.ts'
import type { DevnetImport } from '#rpc-types/methods/devnet.ts'
import { ChainFileError } from './chain-file.ts'

/**
 * One import of a chain file: its progress, and the clock for its work, which throws at the next pause if it is
 * cancelled.
 */
export class ImportRun implements Clock {
  readonly #clock: Clock
  #progress: DevnetImport = { step: 'blocks', done: 0, total: 0 }
  #isCancelled = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get progress(): DevnetImport {
    return this.#progress
  }

  now(): number {
    return this.#clock.now()
  }

  wallNow(): number {
    return this.#clock.wallNow()
  }

  schedule(callback: () => void | Promise<void>, delayMs: number): Cancel {
    return this.#clock.schedule(callback, delayMs)
  }

  /** @throws {ChainFileError} If the import was cancelled meanwhile. */
  async yield(): Promise<void> {
    await this.#clock.yield()
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
