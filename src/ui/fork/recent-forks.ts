import { eraseChain, StoredChainError } from '#client/node/stored-chain.ts'
import { keep, readKept } from '#ui/page/kept-text.ts'

/** Forks that stay stored in this browser; those that were opened longest ago go first. */
const MOST = 8
const KEY = 'blinknet:forks'

/** The names of stored forks, that opened last first. */
export function recentForks(): readonly string[] {
  const text = readKept(KEY) ?? ''
  return text.split(' ').filter((name) => /^fork-[0-9a-f]{24}$/.test(name))
}

/**
 * Notes that a fork was opened, and erases those beyond the limit that no tab has open.
 *
 * @param isOpen - Whether a tab has a chain open.
 * @param erase - Replaces the erasure in tests.
 */
export async function noteFork(
  name: string,
  isOpen: (name: string) => Promise<boolean> = isInTab,
  erase: (name: string) => Promise<void> = eraseChain,
): Promise<void> {
  const all = [name, ...recentForks().filter((other) => other !== name)]
  const left: string[] = []
  for (const old of all.slice(MOST)) {
    if ((await isOpen(old)) || !(await attempt(erase(old)))) left.push(old)
  }
  keep(KEY, [...all.slice(0, MOST), ...left].join(' '))
}

/** Whether it was erased; otherwise the next fork tries again. */
async function attempt(erasing: Promise<void>): Promise<boolean> {
  try {
    await erasing
    return true
  } catch (error) {
    if (!(error instanceof StoredChainError)) throw error
    return false
  }
}

/** The tab that runs a chain holds its lock, whose name ends with the chain's. */
async function isInTab(name: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return held.some((lock) => lock.name?.endsWith(`:${name}`))
}
