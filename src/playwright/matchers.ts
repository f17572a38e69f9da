import type { Expect, ExpectMatcherState, MatcherReturnType } from '@playwright/test'
import type { TransactionStage } from '#client/session/wait-for-stage.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { loadPlaywright } from './load-playwright.ts'
import { describeTimeline, type TestChain } from './test-chain.ts'

const { expect: base } = loadPlaywright()

/** What a matcher may be given beside what it looks at. */
export interface MatcherOptions {
  /** Milliseconds; default that of `expect`. */
  readonly timeout?: number
}

const DEFAULT_TIMEOUT_MS = 5_000

/** `true` as soon as it is at that stage, whether it succeeded or not; `false` when the time is over, or it is lost. */
async function reaches(chain: TestChain, hash: Hash, stage: TransactionStage, timeout: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeout)
  })
  try {
    // Never seen, dropped, replaced, lost: the message has the timeline, which says so.
    return await Promise.race([
      chain.waitFor(hash, stage).then(
        () => true,
        () => false,
      ),
      over,
    ])
  } finally {
    clearTimeout(timer)
  }
}

async function toHaveStage(
  state: ExpectMatcherState,
  chain: TestChain,
  hash: Hash,
  stage: TransactionStage,
  { timeout = state.timeout ?? DEFAULT_TIMEOUT_MS }: MatcherOptions,
): Promise<MatcherReturnType> {
  const name = stage === 'sealed' ? 'toHaveSealed' : 'toHavePreconfirmed'
  requireChain(chain, name)
  const words = stage === 'sealed' ? 'sealed' : 'pre-confirmed'
  // What must not happen is looked at once.
  const pass = await reaches(chain, hash, stage, state.isNot ? 0 : timeout)
  const what = describeTimeline(hash, await chain.timeline(hash))
  const hint = pass || state.isNot ? '' : `\n${await describeClock(chain)}`
  return {
    pass,
    name,
    message: () =>
      state.isNot
        ? `the transaction was expected not to be ${words}\n${what}`
        : `the transaction was not ${words} within ${timeout} ms\n${what}${hint}`,
  }
}

async function describeClock(chain: TestChain): Promise<string> {
  const { mode, live, pool } = await chain.request({ method: 'devnet_status' })
  const clock = mode === 'manual' ? 'the clock is manual: chain.tick() and chain.seal() move it' : 'the clock runs'
  return `block ${Number(live.number)} is pending at partial block ${live.index}; ${pool.pending} wait in the mempool, ${pool.queued} behind a nonce gap; ${clock}`
}

interface CallFrame {
  readonly error?: string
  readonly revertReason?: string
  readonly output?: string
}

/** Why a transaction reverted: its text, else its data, else what went wrong; `undefined` if it did not. */
async function revertReason(chain: TestChain, receipt: RpcReceipt): Promise<string | undefined> {
  if (receipt.status === '0x1') return undefined
  const params = [receipt.transactionHash, { tracer: 'callTracer' }] as const
  const frame = (await chain.request({ method: 'debug_traceTransaction', params: params as never })) as CallFrame
  return frame.revertReason ?? (frame.output === undefined || frame.output === '0x' ? frame.error : frame.output) ?? ''
}

/** Without types, `expect(page)` would have these matchers as well. */
function requireChain(chain: unknown, name: string): void {
  if (typeof chain === 'object' && chain !== null && 'timeline' in chain) return
  throw new TypeError(`${name} looks at the chain of the fixtures: expect(chain).${name}(…)`)
}

const matchers = {
  /** The transaction is pre-confirmed, or sealed already; waits for it. */
  toHavePreconfirmed(this: ExpectMatcherState, chain: TestChain, hash: Hash, options: MatcherOptions = {}) {
    return toHaveStage(this, chain, hash, 'preconfirmed', options)
  },
  /** The transaction is in a sealed block; waits for it. */
  toHaveSealed(this: ExpectMatcherState, chain: TestChain, hash: Hash, options: MatcherOptions = {}) {
    return toHaveStage(this, chain, hash, 'sealed', options)
  },
  /** The transaction was executed and reverted, for that reason if one is given: a text, or a pattern of it. Waits for it. */
  async toHaveReverted(
    this: ExpectMatcherState,
    chain: TestChain,
    hash: Hash,
    reason?: string | RegExp,
    { timeout = this.timeout ?? DEFAULT_TIMEOUT_MS }: MatcherOptions = {},
  ): Promise<MatcherReturnType> {
    requireChain(chain, 'toHaveReverted')
    const executed = await reaches(chain, hash, 'preconfirmed', timeout)
    const receipt = executed ? await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] }) : null
    const actual = receipt ? await revertReason(chain, receipt) : undefined
    const isWanted =
      reason === undefined || (typeof reason === 'string' ? actual?.includes(reason) : reason.test(actual ?? ''))
    const what = describeTimeline(hash, await chain.timeline(hash))
    const did =
      receipt === null
        ? `was not executed within ${timeout} ms`
        : actual === undefined
          ? 'succeeded'
          : `reverted with ${JSON.stringify(actual)}`
    const wanted = reason === undefined ? 'to revert' : `to revert with ${String(reason)}`
    return {
      pass: actual !== undefined && isWanted === true,
      name: 'toHaveReverted',
      message: () => `the transaction was expected ${this.isNot ? 'not ' : ''}${wanted}: it ${did}\n${what}`,
    }
  },
  /**
   * An account has that much more in the pending block after the action than before; a negative amount is that much less.
   * What it pays for gas counts as well.
   */
  async toChangeBalance(
    this: ExpectMatcherState,
    chain: TestChain,
    account: Address,
    wei: bigint,
    action: () => Promise<unknown>,
  ): Promise<MatcherReturnType> {
    requireChain(chain, 'toChangeBalance')
    const balance = async () => BigInt(await chain.request({ method: 'eth_getBalance', params: [account, 'pending'] }))
    const before = await balance()
    await action()
    const change = (await balance()) - before
    return {
      pass: change === wei,
      name: 'toChangeBalance',
      expected: wei,
      actual: change,
      message: () =>
        `the balance of ${account} was expected ${this.isNot ? 'not ' : ''}to change by ${wei} wei; it changed by ${change}`,
    }
  },
}

/** Playwright's `expect` with the matchers of `blinknet/playwright`. */
export const expect: Expect<typeof matchers> = base.extend(matchers)
