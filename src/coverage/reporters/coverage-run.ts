import { beginParts, takeParts } from '#coverage/parts.ts'
import { type CoverageOptions, checkCoverageOptions, reportRun } from '#coverage/report-run.ts'
import { harmlessLine } from '#primitives/harmless-line.ts'

/** One run of tests, from what its processes count to what is told of it. */
export class CoverageRun {
  readonly #options: CoverageOptions
  readonly #folder: string

  /** @throws {TypeError} If an option makes no sense. */
  constructor(options: CoverageOptions) {
    checkCoverageOptions(options)
    this.#options = options
    this.#folder = beginParts()
  }

  /** @returns Whether it has succeeded; why not is printed. */
  async end(isUpdate: boolean): Promise<boolean> {
    const print = (line: string): void => void process.stdout.write(`${harmlessLine(line)}\n`)
    try {
      const part = await takeParts(this.#folder)
      const width = process.stdout.isTTY ? process.stdout.columns : undefined
      const failures = await reportRun(part, this.#options, { print, isUpdate, width })
      for (const failure of failures) print(`  failed: ${failure}`)
      return failures.length === 0
    } catch (error) {
      print(`blinknet: coverage and gas are not reported: ${(error as Error).message}`)
      return false
    }
  }
}
