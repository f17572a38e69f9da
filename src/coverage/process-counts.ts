import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import { ExecutedCode } from '#node/evm/coverage/executed-code.ts'
import type { TriedHistories } from './histories.ts'
import { PARTS_VARIABLE, type PartLine } from './parts.ts'

/** Most tests of which a process tells its histories. */
const MAX_HISTORIES = 100_000

/** What this process counts for the reporter of its tests, over all of its chains. */
export class ProcessCounts {
  readonly executed = new ExecutedCode()
  readonly #folder: string
  readonly #file: string
  /** Codes that the file has. */
  readonly #written = new Set<string>()
  readonly #histories: TriedHistories[] = []

  constructor(folder: string) {
    this.#folder = folder
    this.#file = path.join(folder, `part-${process.pid}-${randomUUID()}.jsonl`)
    // For who closes no chain. What closes has been written by then.
    process.once('exit', () => this.write())
  }

  /** Tells the reporter that a test was tried in several histories. */
  addHistories(tried: TriedHistories): void {
    if (this.#histories.length < MAX_HISTORIES) this.#histories.push(tried)
  }

  /** Writes what was counted since the last time. At once, as a process that ends waits for nothing. */
  write(): void {
    const counts = this.executed.take()
    const histories = this.#histories.splice(0)
    if (counts.codes.length + counts.gas.length + counts.leftOut + histories.length === 0) return
    // The reporter has taken all parts, and its folder is gone.
    if (!existsSync(this.#folder)) return
    const codes = counts.codes.map(({ code, ...others }) => {
      if (this.#written.has(others.hash)) return others
      this.#written.add(others.hash)
      return { ...others, code }
    })
    const line: PartLine = { ...counts, codes, histories }
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}

const KEY = Symbol.for('blinknet.coverage')

/** What this process counts, whichever copy of this module asks; `undefined` if no reporter has asked for it. */
export function processCounts(): ProcessCounts | undefined {
  const folder = process.env[PARTS_VARIABLE]
  if (folder === undefined || folder === '') return undefined
  const shared = globalThis as { [KEY]?: { readonly folder: string; readonly counts: ProcessCounts } }
  if (shared[KEY]?.folder !== folder) shared[KEY] = { folder, counts: new ProcessCounts(folder) }
  return shared[KEY].counts
}

/**
 * Has what chains of this process execute from now on count for a history, if it counts at all.
 *
 * @param fate - Empty: no fault is met. `undefined`: nothing counts, as it is only looked for histories that differ.
 */
export function countFor(fate: string | undefined): void {
  const counts = processCounts()
  if (counts) counts.executed.history = fate
}
