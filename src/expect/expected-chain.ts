import type { Hash } from '#primitives/hex.ts'
import type { MethodName, ParamsOf, ResultOf } from '#rpc-types/methods.ts'
import { isAtStage, type TransactionStage } from '#rpc-types/transaction-stage.ts'

/** A chain that matchers look at: one of `createChain` or the fixtures, or any EIP-1193 provider or viem client of one. */
export interface ChainLike {
  readonly request: (args: never) => Promise<unknown>
}

/** What {@link ChainLike} is asked. */
export type AskChain = <Name extends MethodName>(method: Name, params: ParamsOf<Name>) => Promise<ResultOf<Name>>

/**
 * How a matcher asks a chain.
 *
 * @throws {TypeError} If it is given something else than a chain: without types, `expect(page)` has these matchers as well.
 */
export function askOf(chain: unknown, matcher: string): AskChain {
  if (typeof chain !== 'object' || chain === null || !('request' in chain) || typeof chain.request !== 'function') {
    throw new TypeError(`${matcher} looks at the chain of the fixtures: expect(chain).${matcher}(…)`)
  }
  const { request } = chain as { readonly request: (args: object) => Promise<unknown> }
  return ((method: string, params: readonly unknown[]) => request({ method, params })) as AskChain
}

/** How long a wait for a transaction pauses before it looks again, in milliseconds. */
const LOOK_MS = 25

/** `true` as soon as it is at that stage, whether it succeeded or not; `false` when the time is over, or it is lost. */
export async function reaches(
  chain: ChainLike,
  ask: AskChain,
  hash: Hash,
  stage: TransactionStage,
  timeout: number,
): Promise<boolean> {
  const { waitFor } = chain as { readonly waitFor?: (hash: Hash, stage: TransactionStage) => Promise<unknown> }
  const until = performance.now() + timeout
  for (;;) {
    // Looked at before any time is over: a timer that fires first must not say that it is not there.
    const receipt = await ask('eth_getTransactionReceipt', [hash])
    if (receipt && isAtStage(receipt, stage)) return true
    if (performance.now() >= until) return false
    if (typeof waitFor === 'function') return waitsFor(() => waitFor(hash, stage), until - performance.now())
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS)
    })
  }
}

async function waitsFor(wait: () => Promise<unknown>, timeout: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeout)
  })
  try {
    // Never seen, dropped, replaced, lost: the message has the timeline, which says so.
    return await Promise.race([
      wait().then(
        () => true,
        () => false,
      ),
      over,
    ])
  } finally {
    clearTimeout(timer)
  }
}
