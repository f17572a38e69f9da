import type { BrowserContext, Page, TestInfo } from '@playwright/test'
import { formatFate, parseFate, type Schedule } from '#fates/fault.ts'
import { findHistories } from '#fates/histories.ts'
import { type Play, playFate } from '#fates/play.ts'
import { shrinkFate } from '#fates/shrink.ts'
import type { Chain } from '#library/chain.ts'
import { describeError } from '#primitives/describe-error.ts'
import { invariant } from '#primitives/invariant.ts'
import { transactionsOf } from './dapp-transactions.ts'
import { broken, describeFailures, type FateFailure } from './failures.ts'
import type { FateSeat } from './fate-seat.ts'
import { type BrokenRule, type JudgedRun, judge, unclaimedIn } from './judge.ts'
import { type FaultsPlan, judgeOwn } from './options.ts'
import { lookAtPage, PAGE_LIMITS, type PageLook, type PageNote, readNote, watchScript } from './page-watch.ts'
import type { RepeatableTest } from './rerun.ts'

/** A chain of the test. */
export interface TestedChain {
  readonly name: string
  /** The chain itself, which no fault meets. */
  readonly own: Chain
  readonly seat: FateSeat
  /** Makes the chain what it was when the test began. */
  readonly startOver: () => Promise<void>
}

/** What the runs of a test have to do with. */
export interface FatesDeps<Chains> {
  readonly plan: FaultsPlan<Chains>
  readonly context: BrowserContext
  /** Resolves when the pages are idle, but for requests that are held on purpose. */
  readonly settled: (held: () => number) => Promise<void>
  /** Has expectations of the test wait for so long at most while it runs, in milliseconds. */
  readonly expectWithin: <Result>(timeout: number, work: () => Promise<Result>) => Promise<Result>
  /** Does something in pages that is no step of the test. */
  readonly looking: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly chains: readonly TestedChain[]
  /** What the test's own judges see. */
  readonly tests: Chains
  readonly info: TestInfo
  /** Is told how many histories were tried, and in which the test failed, in words. */
  readonly onTried: (tried: number, failed: readonly string[]) => void
  /** Is told which fate the chains meet from now on; `undefined` while it is only looked for those that differ. */
  readonly onFate: (fate: string | undefined) => void
  /** Has the wallet be as it was at the beginning. */
  readonly startWalletOver: () => Promise<void>
}

type Cookies = Parameters<BrowserContext['addCookies']>[0]

const BINDING = '__blinknetWatch'
/** How often a page is looked at while it may still agree with its chain, in milliseconds. */
const LOOK_MS = 100
/** How long a dapp has to notice that something is new, in milliseconds. */
const POLL_MS = 150
/** Blocks that follow the last transaction, for dapps that wait for confirmations. */
const CONFIRMATIONS = 2
/** Most runs that look for a shorter fate: each opens the page. */
const MOST_TRIES = 12
/** Most messages and notes of a run. */
const MOST_NOTES = 10_000

/** A run that tells which lines claim nothing: they stand there although nothing was sent. */
const CONTROL = 'refuse@send1'

/** The runs of one test under faults. */
export class Fates<Chains> {
  readonly #deps: FatesDeps<Chains>
  readonly #notes: PageNote[] = []
  readonly #errors: string[] = []
  #play: Play | undefined
  /** What there was for the dapp to see when it was waited for. */
  #seen = ''
  #page: Page | undefined
  /** Cookies that the test begins with, such as of somebody who is signed in. */
  #cookies: Cookies = []
  /** How long expectations and actions wait under faults, in milliseconds. */
  #waitMs = 0
  /** How long the test took without faults, in milliseconds. */
  #plainMs = 0
  /** Whether the newest run of the test threw. */
  #isStopped = false

  private constructor(deps: FatesDeps<Chains>) {
    this.#deps = deps
  }

  /** Before the test's hooks: its pages are watched from the first on, and its chains can go back to here. */
  static async begin<Chains>(deps: FatesDeps<Chains>): Promise<Fates<Chains>> {
    const fates = new Fates(deps)
    const { context } = deps
    fates.#cookies = await context.cookies()
    await context.exposeBinding(BINDING, ({ page }, given: unknown) => {
      fates.#page ??= page
      const note = readNote(given)
      if (note && fates.#notes.length < MOST_NOTES) fates.#notes.push(note)
    })
    await context.addInitScript({ content: watchScript({ binding: BINDING, ...PAGE_LIMITS }) })
    context.on('weberror', (error) => {
      if (fates.#errors.length < MOST_NOTES) fates.#errors.push(describeError(error.error()))
    })
    await fates.#playFate([])
    return fates
  }

  /** Ticks of the test, under the fate that is being played. */
  get play(): Play {
    invariant(this.#play, 'a fate is being played while a test runs')
    return this.#play
  }

  async #playFate(schedule: Schedule): Promise<void> {
    const { chains } = this.#deps
    this.#play?.close()
    const seats = chains.map(({ seat }) => seat)
    this.#seen = ''
    const play = await playFate(seats, schedule, { settled: () => this.#settledIfNews() })
    this.#play = play
    for (const seat of seats) seat.take(play)
    this.#deps.onFate(formatFate(schedule))
  }

  /** Waits for the dapp where there is something new for it to see: most ticks change nothing. */
  async #settledIfNews(): Promise<void> {
    const play = this.#play
    if (!play) return
    const { settled, chains } = this.#deps
    const transactions = await transactionsOf(play, chains)
    const stages = transactions.map(({ events }) => events.length)
    const seen = JSON.stringify([stages, play.happened.map(({ effect }) => effect), play.held])
    if (seen === this.#seen) return
    this.#seen = seen
    const { begun } = play.calls
    // Most dapps poll: one that does so rarely is not waited for.
    const until = performance.now() + POLL_MS
    while (play.calls.begun === begun && performance.now() < until) await pause(5)
    await settled(() => play.held)
  }

  /**
   * Runs the test without faults, then under each fate of its plan.
   *
   * @throws {Error} The test's own error if it fails without faults; otherwise what was broken, by which fate.
   */
  async run(test: RepeatableTest): Promise<void> {
    const { plan, info } = this.#deps
    // A test without a limit ends with the time of all runs.
    const timeout = info.timeout || plan.withinMs
    const startedAt = performance.now()
    const left = () => plan.withinMs - (performance.now() - startedAt)
    info.setTimeout(0)
    const bodyAt = performance.now()
    await within(timeout, () => test.body())
    this.#plainMs = performance.now() - bodyAt
    await this.#endRun(undefined)
    let plain = await this.#judged()
    const failures: FateFailure[] = []
    const found = judge(plain, plain, plan)
    if (found.length > 0) failures.push({ schedule: [], verdicts: found, happened: [], stopped: undefined })
    const { histories, summary } = await this.#histories(left)
    this.#waitMs = plan.waitMs
    const tried = new Map<string, FateFailure | undefined>()
    const attempt = async (schedule: Schedule): Promise<FateFailure | undefined> => {
      const key = formatFate(schedule)
      if (tried.has(key)) return tried.get(key)
      let failure = await this.#attemptPatiently(test, schedule, plain, timeout)
      const isClaim = failure?.verdicts.some(({ rule }) => rule === 'agrees')
      if (isClaim && plain.unclaimed === undefined && left() > 0) {
        plain = { ...plain, unclaimed: await this.#unclaimed(test, timeout) }
        failure = await this.#attemptPatiently(test, schedule, plain, timeout)
      }
      tried.set(key, failure)
      return failure
    }
    let runs = 0
    for (const schedule of histories) {
      if (left() <= 0) break
      const failure = await attempt(schedule)
      runs++
      const fresh = failure?.verdicts.filter(
        ({ rule }) => !failures.some(({ verdicts }) => verdicts.some((each) => each.rule === rule)),
      )
      if (!failure || !fresh || fresh.length === 0) continue
      const rules = new Set(fresh.map(({ rule }) => rule))
      let tries = 0
      const shortest = await shrinkFate(schedule, async (shorter) => {
        const again = left() > 0 && tries++ < MOST_TRIES ? await attempt(shorter) : undefined
        return again?.verdicts.some(({ rule }) => rules.has(rule)) ?? false
      })
      failures.push({ ...((await attempt(shortest)) ?? failure), verdicts: fresh })
    }
    const unrun = histories.length - runs
    const ended = unrun === 0 ? summary : `${summary}; ${unrun} were not run, as the time was over (withinMs)`
    info.annotations.push({ type: 'fates', description: ended })
    const failed = failures.map(({ schedule }) => formatFate(schedule) || 'without faults')
    this.#deps.onTried(runs + 1, failed)
    const worst = failures.find(({ schedule }) => schedule.length > 0)
    // The chain that is attached, and the page of the screenshot, are those of the failure.
    if (worst) await this.#attempt(test, worst.schedule, plain, timeout)
    if (failures.length > 0) throw broken(describeFailures(failures, ended))
  }

  async #histories(left: () => number): Promise<{ readonly histories: readonly Schedule[]; readonly summary: string }> {
    const { plan, chains } = this.#deps
    if (plan.fate !== undefined) {
      return { histories: [parseFate(plan.fate)], summary: `one fate was run: ${plan.fate}` }
    }
    const { recording } = this.play
    this.#deps.onFate(undefined)
    const replayed = chains.map(({ name, seat, startOver }) => ({ name, node: seat.node, startOver }))
    const { histories, schedules, leftOut } = await findHistories(replayed, recording, {
      depth: plan.depth,
      ...(plan.kinds && { kinds: plan.kinds }),
      most: plan.most,
      withinMs: Math.max(1, left() / 4),
    })
    return {
      histories: histories.map(({ fate }) => fate).filter((fate) => fate.length > 0),
      summary: [
        `${histories.length} histories of ${schedules} schedules of up to ${plan.depth} faults`,
        ...leftOut.map((what) => `left out: ${what}`),
      ].join('; '),
    }
  }

  /**
   * The test once more, under a fate. If it stopped before a fault's moment came, it was too slow for `waitMs` rather than
   * broken: it is run again, and from then on waits as long as it took without faults.
   */
  async #attemptPatiently(
    test: RepeatableTest,
    schedule: Schedule,
    plain: JudgedRun,
    timeout: number,
  ): Promise<FateFailure | undefined> {
    const failure = await this.#attempt(test, schedule, plain, timeout)
    const isReached = !this.#isStopped || this.play.happened.some(({ tick }) => tick !== undefined)
    const patientMs = Math.min(timeout, 2 * this.#plainMs)
    if (isReached || schedule.length === 0 || this.#waitMs >= patientMs) return failure
    this.#waitMs = patientMs
    return this.#attempt(test, schedule, plain, timeout)
  }

  /** What the page says in the end if the dapp's first send is refused; nothing if that could not be. */
  async #unclaimed(test: RepeatableTest, timeout: number): Promise<readonly string[]> {
    const { info, plan } = this.#deps
    const before = info.errors.length
    await this.#runUnder(test, parseFate(CONTROL), timeout)
    info.errors.length = before
    await this.#endRun(undefined)
    const isRefused = this.play.happened.some(({ effect }) => effect)
    return isRefused ? unclaimedIn(await this.#judged(), plan) : []
  }

  /** The test once more, under a fate. @returns Where it stopped by itself. */
  async #runUnder(test: RepeatableTest, schedule: Schedule, timeout: number): Promise<string | undefined> {
    const { context, expectWithin, chains } = this.#deps
    await this.#clean()
    context.setDefaultTimeout(this.#waitMs)
    for (const chain of chains) await chain.startOver()
    await this.#deps.startWalletOver()
    await this.#playFate(schedule)
    return expectWithin(this.#waitMs, async () => {
      try {
        await within(timeout, async () => {
          await test.hooks()
          await test.body()
        })
        return undefined
      } catch (error) {
        return describeError(error)
      }
    })
  }

  /** @returns What it has broken. */
  async #attempt(
    test: RepeatableTest,
    schedule: Schedule,
    plain: JudgedRun,
    timeout: number,
  ): Promise<FateFailure | undefined> {
    const { plan, context, info } = this.#deps
    const stopped = await this.#runUnder(test, schedule, timeout)
    this.#isStopped = stopped !== undefined
    const errors = info.errors.splice(0)
    const verdicts: BrokenRule[] = []
    await this.#endRun(async () => {
      verdicts.splice(0, Infinity, ...judge(await this.#judged(), plain, plan))
      return verdicts.length === 0
    })
    const page = this.#page ?? context.pages()[0]
    if (page)
      verdicts.push(...(await judgeOwn(plan.judges, { page, chains: this.#deps.tests, fate: formatFate(schedule) })))
    if (plan.assertions && stopped !== undefined)
      verdicts.push({ rule: 'assertions', what: `the test stopped: ${stopped}` })
    if (plan.assertions) info.errors.push(...errors)
    if (verdicts.length === 0) return undefined
    const happened = this.play.happened.map(({ fault, what }) => `${formatFate([fault])}: ${what}`)
    return { schedule, verdicts, happened, stopped }
  }

  /**
   * Lets the chains go on until all that can be sealed is, and the page until it agrees.
   *
   * @param agrees - Whether the page needs no more time; by default it is given all.
   */
  async #endRun(agrees: (() => Promise<boolean>) | undefined): Promise<void> {
    const { plan, chains } = this.#deps
    await this.play.settle()
    for (let block = 0; block < CONFIRMATIONS; block++) for (const { name } of chains) await this.play.seal(name)
    const until = performance.now() + plan.patienceMs
    for (;;) {
      if (await agrees?.()) return
      if (performance.now() > until) return
      await pause(LOOK_MS)
    }
  }

  async #judged(): Promise<JudgedRun> {
    return {
      notes: [...this.#notes],
      errors: [...this.#errors],
      transactions: await transactionsOf(this.play, this.#deps.chains),
      end: await this.#look(),
    }
  }

  async #look(): Promise<PageLook> {
    const page = this.#page ?? this.#deps.context.pages()[0]
    if (!page || page.isClosed()) return { lines: [], busy: [] }
    return this.#deps.looking(() => page.evaluate(lookAtPage, PAGE_LIMITS))
  }

  /** The pages as before the test: nothing of the run before is left in them. */
  async #clean(): Promise<void> {
    const { context } = this.#deps
    const [first, ...others] = context.pages()
    await this.#deps.looking(async () => {
      for (const page of others) await page.close()
      if (!first) return
      // A page that was just going elsewhere is asked again when it is there.
      const failed = await first.evaluate(clearStorage).catch(() => first.evaluate(clearStorage))
      if (failed !== undefined) throw new Error(`the page’s storage was not cleared for the next run: ${failed}`)
      await first.goto('about:blank')
    })
    await context.clearCookies()
    await context.addCookies(this.#cookies)
    this.#notes.length = 0
    this.#errors.length = 0
    this.#page = first
  }

  close(): void {
    this.#play?.close()
    this.#deps.onFate('')
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs in the page, which may have no storage, such as about:blank. @returns What could not be cleared, and why. */
async function clearStorage(): Promise<string | undefined> {
  // A page without an origin, and one without a secure context, have none of these.
  if (self.origin === 'null') return undefined
  try {
    localStorage.clear()
    sessionStorage.clear()
    for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name)
    const workers = isSecureContext ? await navigator.serviceWorker.getRegistrations() : []
    for (const worker of workers) await worker.unregister()
    return undefined
  } catch (error) {
    return String(error)
  }
}

/** @throws {Error} If it takes longer. What has begun goes on until its page is gone. */
async function within(ms: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the test has not ended within ${ms} ms`)), ms)
  })
  try {
    await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
