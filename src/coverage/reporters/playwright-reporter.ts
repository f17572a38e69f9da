import type { FullConfig, FullResult, Reporter } from '@playwright/test/reporter'
import type { CoverageOptions } from '#coverage/report-run.ts'
import { CoverageRun } from './coverage-run.ts'

/** Reports coverage, gas and histories of tests that use `blinknet/playwright`. */
// Playwright takes what a reporter exports by default.
// oxlint-disable-next-line import/no-default-export
export default class BlinknetPlaywrightReporter implements Reporter {
  readonly #options: CoverageOptions
  #run: CoverageRun | undefined
  #isUpdate = false

  constructor(options: CoverageOptions = {}) {
    this.#options = options
  }

  onBegin({ updateSnapshots }: FullConfig): void {
    this.#isUpdate = updateSnapshots === 'all' || updateSnapshots === 'changed'
    this.#run = new CoverageRun(this.#options)
  }

  async onEnd(): Promise<{ status: FullResult['status'] } | undefined> {
    const isFine = (await this.#run?.end(this.#isUpdate)) ?? true
    return isFine ? undefined : { status: 'failed' }
  }

  /** What it prints is no list of tests. */
  printsToStdio(): boolean {
    return false
  }
}
