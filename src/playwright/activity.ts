import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserContext } from '@playwright/test'

/** A dapp that asks for nothing for so long has done what it had begun, in milliseconds. */
const QUIET_MS = 30
/** One that never stops asking is not waited for longer than this, in milliseconds. */
const MOST_MS = 1_000

/** What the pages of a test have asked for. */
export class Activity {
  /** Requests so far. */
  #begun = 0
  /** Requests that wait for the chain; not those that wait for the person. */
  #open = 0

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

  /** A request waits for the person from now on, which may be without end. @returns Call it when the person has answered. */
  asking(): () => void {
    this.#open--
    return () => {
      this.#begun++
      this.#open++
    }
  }

  /**
   * Resolves when the pages have nothing to ask for: a click that was just made has reached the wallet, what the dapp asks
   * for before it sends is answered, and what it sends is in the mempool.
   */
  async settled(context: BrowserContext): Promise<void> {
    const until = performance.now() + MOST_MS
    for (;;) {
      const before = this.#begun
      await Promise.all(context.pages().map(taskIn))
      await delay(QUIET_MS)
      if ((this.#open === 0 && this.#begun === before) || performance.now() > until) return
    }
  }
}

/** One more task has run in the page, so that all messages that it had sent are here. */
async function taskIn(page: ReturnType<BrowserContext['pages']>[number]): Promise<void> {
  try {
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  } catch {
    // It is being left or closed: what it had begun ends with it.
  }
}
