import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { BrowserContext, ConsoleMessage, Page, TestInfo, WebError } from '@playwright/test'
import { subscribe } from '#client/session/subscribe.ts'
import type { Chain } from '#library/chain.ts'
import {
  cleanRecord,
  RECORD_LIMITS,
  type RecordedError,
  type RecordedLine,
  type RecordedStep,
  type SeenPartial,
  type TestRecord,
} from '#report/test-record.ts'
import type { PartialBlockDiff } from '#rpc-types/subscriptions.ts'
import { Pictures } from './pictures.ts'
import { seenPartial } from './seen-partial.ts'
import { type StepBegin, type StepEnd, watchSteps } from './watch-steps.ts'

/** A chain that is recorded. */
interface WatchedChain {
  readonly name: string
  readonly partials: SeenPartial[]
  /** All that came. */
  seen: number
}

type OpenStep = { -readonly [Name in keyof RecordedStep]: RecordedStep[Name] } & { readonly steps: OpenStep[] }

/** Lines of code before and after the one that failed. */
const AROUND = 3
/** Source files longer than this are not quoted, in characters. */
const LONGEST_SOURCE = 2_000_000

/** Records what happens in a test, so that a failure can be looked at: its steps, its pages and its chains' partial blocks. */
export class TestRecorder {
  readonly #info: TestInfo
  readonly #context: BrowserContext
  readonly #startedAtMs = Date.now()
  readonly #chains: WatchedChain[] = []
  readonly #lines: RecordedLine[] = []
  readonly #steps: OpenStep[] = []
  readonly #open = new Map<string, OpenStep>()
  readonly #pictures: Pictures
  #count = 0

  private constructor(context: BrowserContext, info: TestInfo, pictures: Pictures) {
    this.#context = context
    this.#info = info
    this.#pictures = pictures
  }

  /**
   * @param isOwn - Whether a call to a page is this package's, not the test's.
   * @param withPictures - Whether pages are pictured while the test runs.
   */
  static async begin(
    context: BrowserContext,
    chains: readonly { readonly name: string; readonly raw: Chain }[],
    info: TestInfo,
    isOwn: () => boolean,
    withPictures: boolean,
  ): Promise<TestRecorder> {
    const recorder = new TestRecorder(context, info, new Pictures(withPictures))
    context.on('console', recorder.#onConsole)
    context.on('weberror', recorder.#onError)
    context.on('page', recorder.#onPage)
    for (const { name, raw } of chains) await recorder.#watch(name, raw)
    watchSteps(
      info,
      (step) => {
        if (step.category !== 'pw:api' || !isOwn()) recorder.#begun(step)
      },
      (step) => recorder.#ended(step),
    )
    return recorder
  }

  /** The test has ended: nothing more is recorded. Its pages are still open. */
  end(): void {
    this.#context.off('console', this.#onConsole)
    this.#context.off('weberror', this.#onError)
    this.#context.off('page', this.#onPage)
    this.#pictures.end()
  }

  /** What was recorded, of a test that has failed. */
  async record(): Promise<TestRecord> {
    await this.#pictures.last(this.#context.pages())
    const { titlePath, project, file, line, status, retry, errors } = this.#info
    const given: TestRecord = {
      titles: titlePath.filter((title) => title !== ''),
      project: project.name,
      place: this.#placeOf(file, line),
      status: status ?? 'failed',
      retry,
      startedAtMs: this.#startedAtMs,
      tookMs: Date.now() - this.#startedAtMs,
      errors: await Promise.all(
        errors.map(({ message, stack, value }) => recordedError(message ?? value, stack, file)),
      ),
      steps: this.#steps,
      lines: this.#lines,
      pictures: this.#pictures.taken,
      chains: this.#chains.map(({ name, partials, seen }) => ({ name, partials, skipped: seen - partials.length })),
    }
    return cleanRecord(given)
  }

  async #watch(name: string, chain: Chain): Promise<void> {
    const watched: WatchedChain = { name, partials: [], seen: 0 }
    this.#chains.push(watched)
    await subscribe(chain, 'newPartialBlocks', ['diff'], (payload) => {
      const before = watched.partials.at(-1)
      watched.seen++
      watched.partials.push(seenPartial(payload as PartialBlockDiff, before))
      if (watched.partials.length > RECORD_LIMITS.partials) watched.partials.shift()
    })
  }

  #begun({ stepId, parentStepId, title, subtitle, category, wallTime, location }: StepBegin): void {
    if (this.#count >= RECORD_LIMITS.steps) return
    this.#count++
    const step: OpenStep = {
      title: subtitle ? `${title} ${subtitle}` : title,
      category,
      startedAtMs: wallTime,
      tookMs: -1,
      error: '',
      place: location ? this.#placeOf(location.file, location.line) : '',
      seen: [],
      steps: [],
    }
    const parent = parentStepId === undefined ? undefined : this.#open.get(parentStepId)
    ;(parent?.steps ?? this.#steps).push(step)
    this.#open.set(stepId, step)
  }

  #ended({ stepId, wallTime, error }: StepEnd): void {
    const step = this.#open.get(stepId)
    if (!step) return
    this.#open.delete(stepId)
    step.tookMs = Math.max(0, wallTime - step.startedAtMs)
    step.seen = this.#chains.map(({ seen }) => seen)
    if (error) step.error = error.message ?? error.error?.message ?? 'failed'
  }

  readonly #onConsole = (message: ConsoleMessage): void => this.#write(message.type(), message.text())

  readonly #onError = (error: WebError): void => {
    const { stack, message } = error.error()
    this.#write('pageerror', stack ?? message)
  }

  readonly #onPage = (page: Page): void =>
    this.#pictures.watch(page, (reason) =>
      this.#write(
        'warning',
        `Blinknet’s report: there are no pictures while a page was open, since it could not be filmed: ${reason}`,
      ),
    )

  #write(kind: string, text: string): void {
    this.#lines.push({ atMs: Date.now(), kind, text: text.slice(0, RECORD_LIMITS.text) })
    if (this.#lines.length > RECORD_LIMITS.lines) this.#lines.shift()
  }

  #placeOf(file: string, line: number): string {
    const { rootDir } = this.#info.config
    const inside = path.relative(rootDir, file)
    return `${inside.startsWith('..') ? path.basename(file) : inside.split(path.sep).join('/')}:${line}`
  }
}

async function recordedError(
  message: string | undefined,
  stack: string | undefined,
  testFile: string,
): Promise<RecordedError> {
  return { message: message ?? '', stack: stack ?? '', snippet: await codeAround(stack ?? '', testFile) }
}

/** The lines of the test's file that an error's stack leads to, the one that failed marked. */
async function codeAround(stack: string, testFile: string): Promise<string> {
  const at = stack.indexOf(`${testFile}:`)
  const line = at < 0 ? 0 : Number.parseInt(stack.slice(at + testFile.length + 1), 10)
  if (!(line > 0)) return ''
  let source: string
  try {
    source = await readFile(testFile, 'utf8')
  } catch {
    // The file was moved meanwhile; the stack names it all the same.
    return ''
  }
  if (source.length > LONGEST_SOURCE) return ''
  const first = Math.max(1, line - AROUND)
  return source
    .split('\n')
    .slice(first - 1, line + AROUND)
    .map((text, i) => `${first + i === line ? '>' : ' '} ${String(first + i).padStart(5)} | ${text}`)
    .join('\n')
}
