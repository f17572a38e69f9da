import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserContext } from '@playwright/test'

/** A dapp that makes no request for this long has finished, in milliseconds. */
const QUIET_MS = 30
/** The longest wait for a dapp that never stops making requests, in milliseconds. */
const MOST_MS = 1_000

/** The requests of a test's pages. */
export class Activity {
  /** Requests so far. */
  #begun = 0
  /** Requests under way, without those that wait for the person. */
  #open = 0
  #looking = 0

  /** Whether this looks into pages itself at the moment. */
  get isLooking(): boolean {
    return this.#looking > 0
  }

  /** Counts a request for as long as it takes. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#begun++
    this.#open++
    try {
      return await work()
    } finally {
      this.#open--
    }
  }

  /** A request starts to wait for the person, perhaps forever. @returns Call it when the person has answered. */
  asking(): () => void {
    this.#open--
    return () => {
      this.#begun++
      this.#open++
    }
  }

  /**
   * Resolves when the pages are idle: a click just before has reached the wallet, the dapp's reads are answered, and its
   * transaction is in the mempool.
   *
   * @param held - How many requests are kept waiting on purpose at the moment.
   */
  async settled(context: BrowserContext, held: () => number = () => 0): Promise<void> {
    const until = performance.now() + MOST_MS
    await this.looking(async () => {
      for (;;) {
        const before = this.#begun
        await Promise.all(context.pages().map(taskIn))
        await delay(QUIET_MS)
        // On a busy machine the dapp may need longer than that for its next request; so does this.
        await Promise.all(context.pages().map(taskIn))
        if ((this.#open <= held() && this.#begun === before) || performance.now() > until) return
      }
    })
  }

  /** Does something in pages that is this package's, not the test's. */
  async looking<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#looking++
    try {
      return await work()
    } finally {
      this.#looking--
    }
  }
}

/** One more task has run in the page, so that all messages that it had sent are here. */
async function taskIn(page: ReturnType<BrowserContext['pages']>[number]): Promise<void> {
  try {
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  } catch {
    // The page is closing or going elsewhere, and its tasks end with it.
  }
}
