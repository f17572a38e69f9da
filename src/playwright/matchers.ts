import type { Expect } from '@playwright/test'
import type { ChainAssertions } from '#expect/chain-assertions.ts'
import type { ChainLike } from '#expect/expected-chain.ts'
import { matchers } from '#expect/matchers.ts'
import { loadPlaywright } from './load-playwright.ts'

const { expect: base } = loadPlaywright()

type Everything = ReturnType<Expect<object>>

/** Playwright's `expect`; of a chain it also has the matchers of `blinknet/expect`, with the types of the ABI. */
interface ExpectChain {
  (
    chain: ChainLike,
    message?: string | { readonly message?: string; readonly timeout?: number },
  ): ChainAssertions & Omit<Everything, 'not'> & { readonly not: ChainAssertions['not'] & Everything['not'] }
}

const extended = base.extend(matchers)
/** What {@link expect} is at the moment. */
let current = extended

/** Playwright's `expect` with the matchers of `blinknet/playwright`. */
export const expect: ExpectChain & Expect<typeof matchers> = new Proxy(extended, {
  apply: (_target, self, args): unknown => Reflect.apply(current as (...given: unknown[]) => unknown, self, args),
  get: (_target, name): unknown => Reflect.get(current, name),
})

/** Has expectations wait for so long at most during `work`, in milliseconds, unless they name a time themselves. */
export async function expectWithin<Result>(timeout: number, work: () => Promise<Result>): Promise<Result> {
  current = extended.configure({ timeout })
  try {
    return await work()
  } finally {
    current = extended
  }
}
