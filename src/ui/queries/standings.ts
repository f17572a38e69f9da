import { useEffect } from 'react'
import { create } from 'zustand'
import { chainKeyOf } from '#client/session/chain-key.ts'
import { ProviderRpcError } from '#client/session/provider.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { useCapabilities, useSession } from '#ui/page/session.ts'
import type { CodeStanding, Where } from './standing.ts'

/** The contracts that were looked at, by chain and address. */
export const useStandings = create<ReadonlyMap<string, CodeStanding>>(() => new Map())

/** Milliseconds after which a contract is looked at again: its code may change. */
const RECHECK_MS = 2_000
/** Time between two looks at an address without code. */
const RECHECK_ACCOUNT_MS = 20_000
/** Looks at the same time; more wait. */
const MOST_LOOKS = 8
/** Milliseconds after the last movement of the window. */
const HELD_MS = 120
/** Addresses that wait, and those that are remembered: the oldest go first. */
const MOST_WAITING = 256
const MOST_ADDRESSES = 2_000

/** When each address is to be looked at next, in milliseconds since the page began. */
const dueMs = new Map<string, number>()
/** The code that each contract had at the last look, and how many builds had come by then. */
const seen = new Map<string, { readonly code: Hex; readonly builds: number }>()
const waiting = new Map<string, { readonly where: Where; readonly address: Address }>()
let looking = 0
let heldUntilMs = 0
let nextLook: ReturnType<typeof setTimeout> | undefined

/** The key of an address in {@link useStandings}. */
export function standingKey(chain: string, address: Address): string {
  return `${chain} ${address}`
}

/** Looks at an address soon, unless somebody just has. A call that renders may ask: nothing is fetched before it ends. */
export function lookLater(where: Where, address: Address): void {
  const key = standingKey(where.chain, address)
  if (performance.now() < (dueMs.get(key) ?? 0)) return
  const [oldest] = waiting.keys()
  if (waiting.size >= MOST_WAITING && oldest !== undefined) {
    waiting.delete(oldest)
    dueMs.delete(oldest)
  }
  dueMs.delete(key)
  dueMs.set(key, Number.POSITIVE_INFINITY)
  shorten(dueMs)
  waiting.set(key, { where, address })
  // Never while a component renders: the page's log shows the call.
  nextIn(0)
}

/** Holds back what waits until the window stands still: most of what is scrolled past is never read. */
export function holdLooks(): void {
  heldUntilMs = performance.now() + HELD_MS
}

/** Looks at all again that were looked at: another chain may have replaced this one. */
export function forgetStandings(): void {
  dueMs.clear()
  seen.clear()
  waiting.clear()
  useStandings.setState(new Map(), true)
}

function nextIn(ms: number): void {
  nextLook ??= setTimeout(() => {
    nextLook = undefined
    next()
  }, ms)
}

function next(): void {
  const [first] = waiting
  if (looking >= MOST_LOOKS || !first) return
  const heldMs = heldUntilMs - performance.now()
  if (heldMs > 0) {
    nextIn(heldMs)
    return
  }
  const [key, { where, address }] = first
  waiting.delete(key)
  looking++
  look(where, address)
    .then((isContract) => dueMs.set(key, performance.now() + (isContract ? RECHECK_MS : RECHECK_ACCOUNT_MS)))
    .catch(report)
    .finally(() => {
      looking--
      next()
    })
  next()
}

/** @returns Whether a contract is there. */
async function look(where: Where, address: Address): Promise<boolean> {
  const key = standingKey(where.chain, address)
  const code = await where.provider.request({ method: 'eth_getCode', params: [address, 'pending'] })
  if (code === '0x') {
    seen.delete(key)
    settle(key, undefined)
    return false
  }
  const { buildCount, identify, mayChange } = await import('./identify-code.ts')
  const builds = buildCount()
  const before = seen.get(key)
  if (before?.code === code && before.builds === builds && !mayChange(code)) return true
  const standing = await identify(where, address, code)
  seen.set(key, { code, builds })
  shorten(seen)
  settle(key, standing)
  return true
}

function settle(key: string, standing: CodeStanding | undefined): void {
  const before = useStandings.getState().get(key)
  if (isSame(before, standing)) return
  const after = new Map(useStandings.getState())
  after.delete(key)
  if (standing) after.set(key, standing)
  shorten(after)
  useStandings.setState(after, true)
}

function isSame(a: CodeStanding | undefined, b: CodeStanding | undefined): boolean {
  return a?.codeHash === b?.codeHash && a?.contract === b?.contract && a?.behind.join() === b?.behind.join()
}

function shorten(map: Map<string, unknown>): void {
  const [oldest] = map.keys()
  if (map.size > MOST_ADDRESSES && oldest !== undefined) map.delete(oldest)
}

/** The node refuses, is gone, or a file of the page did not come: the next look may find it. */
function report(error: unknown): void {
  if (!(error instanceof ProviderRpcError) && !(error instanceof TypeError)) throw error
}

/** Where the page looks. */
export function useWhere(): Where {
  const session = useSession()
  const { devnet } = useCapabilities()
  return { provider: session.provider, chain: chainKeyOf(session), devnet }
}

/** Looks at a contract again and again as long as the component is there, whatever else happens. */
export function useWatch(address: Address | undefined): void {
  const { provider, chain, devnet } = useWhere()
  useEffect(() => {
    if (address === undefined) return undefined
    const watch = () => lookLater({ provider, chain, devnet }, address)
    watch()
    const timer = setInterval(watch, RECHECK_MS)
    return () => clearInterval(timer)
  }, [provider, chain, devnet, address])
}
