import type { CoverageOptions } from '#coverage/report-run.ts'
import { CoverageRun } from './coverage-run.ts'

/** What it needs of Vitest. */
interface VitestLike {
  readonly config?: { readonly snapshotOptions?: { readonly updateSnapshot?: string } }
}

/** Reports coverage, gas and histories of tests that use `createChain`. */
// Vitest takes what a reporter exports by default.
// oxlint-disable-next-line import/no-default-export
export default class BlinknetVitestReporter {
  readonly #options: CoverageOptions
  #run: CoverageRun | undefined
  #isUpdate = false

  constructor(options: CoverageOptions = {}) {
    this.#options = options
  }

  /** Before the processes of tests begin. */
  onInit(vitest: VitestLike): void {
    this.#isUpdate = vitest.config?.snapshotOptions?.updateSnapshot === 'all'
    this.#begin()
  }

  /** In watch mode, before the tests run again. */
  onWatcherRerun(): void {
    this.#begin()
  }

  /** After all tests, in Vitest 3 and later. */
  onTestRunEnd(): Promise<void> {
    return this.#end()
  }

  /** After all tests, in Vitest 2. */
  onFinished(): Promise<void> {
    return this.#end()
  }

  #begin(): void {
    this.#run ??= new CoverageRun(this.#options)
  }

  async #end(): Promise<void> {
    const run = this.#run
    this.#run = undefined
    if (run && !(await run.end(this.#isUpdate))) process.exitCode = 1
  }
}
