import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { BuildsOfNode } from '#node/rpc/builds/known-builds.ts'
import type { Cancel, Clock } from '#primitives/clock.ts'
import { harmlessLine } from '#primitives/harmless-line.ts'
import { readArtifacts } from './read-artifacts.ts'

/** Milliseconds without a change after which the folder is read again: a compiler writes many files at once. */
const QUIET_MS = 300
/** Milliseconds until it is read again if it could not be: `forge clean` and `hardhat clean` remove it. */
const RETRY_MS = 1_000

interface WatchDeps {
  readonly builds: BuildsOfNode
  readonly clock: Clock
  readonly log: (level: 'info' | 'warn', message: string) => void
}

/**
 * Keeps the builds of a folder, and reads it again whenever it changes. A file that cannot be used is said once, and once
 * more when that has another reason.
 *
 * @returns Ends it.
 * @throws {NodeJS.ErrnoException} If there is no such folder.
 */
export async function watchArtifacts(folder: string, deps: WatchDeps): Promise<() => Promise<void>> {
  const watcher = new ArtifactsWatcher(folder, deps)
  try {
    await watcher.read()
  } catch (error) {
    await watcher.close()
    throw error
  }
  return () => watcher.close()
}

class ArtifactsWatcher {
  readonly #folder: string
  readonly #deps: WatchDeps
  /** What the log has of the newest reading. */
  #said: ReadonlySet<string> = new Set()
  #watcher: FSWatcher | undefined
  /** Which folder is watched: another one may take its place. */
  #watched = ''
  #waiting: Cancel | undefined
  #reading: Promise<void> | undefined
  /** Whether something has changed since the newest reading began. */
  #isStale = false
  #isClosed = false

  constructor(folder: string, deps: WatchDeps) {
    this.#folder = folder
    this.#deps = deps
  }

  /** @throws {NodeJS.ErrnoException} If the folder cannot be read. */
  async read(): Promise<void> {
    const { builds, log } = this.#deps
    await this.#watch()
    const artifacts = await readArtifacts(this.#folder)
    this.#say(
      artifacts.refused.map(
        ({ path, reason }) => `${harmlessLine(path)} is passed over (--artifacts): ${harmlessLine(reason)}`,
      ),
    )
    const kept = builds.setFound(artifacts.builds)
    const contracts = kept.reduce((sum, { build }) => sum + build.contracts.length, 0)
    log('info', `contracts known from ${this.#folder}: ${contracts} (builds: ${kept.length})`)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#watcher?.close()
    this.#waiting?.()
    await this.#reading
  }

  /** Begins before the folder is read, so that no change is missed. */
  async #watch(): Promise<void> {
    const { ino, birthtimeMs } = await stat(this.#folder)
    const found = `${ino} of ${birthtimeMs}`
    if (found === this.#watched || this.#isClosed) return
    this.#watcher?.close()
    this.#watcher = watch(this.#folder, { recursive: true }, () => this.#readSoon(QUIET_MS))
    this.#watched = found
    this.#watcher.on('error', (error) => {
      const reason = harmlessLine(error.message)
      this.#deps.log('warn', `${this.#folder} is not watched any more (--artifacts): ${reason}`)
    })
  }

  #readSoon(delayMs: number): void {
    if (this.#isClosed) return
    this.#waiting?.()
    this.#waiting = this.#deps.clock.schedule(() => {
      this.#waiting = undefined
      this.#isStale = true
      this.#reading ??= this.#readWhileStale()
    }, delayMs)
  }

  /** However much changes during one reading, it is read once more. */
  async #readWhileStale(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false
      try {
        await this.read()
      } catch (error) {
        this.#say([`${this.#folder} cannot be read (--artifacts): ${harmlessLine((error as Error).message)}`])
        this.#readSoon(RETRY_MS)
      }
    }
    this.#reading = undefined
  }

  #say(lines: readonly string[]): void {
    for (const line of new Set(lines)) if (!this.#said.has(line)) this.#deps.log('warn', line)
    this.#said = new Set(lines)
  }
}
