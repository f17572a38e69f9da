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

/** Playwright's `expect` with the matchers of `blinknet/playwright`. */
export const expect: ExpectChain & Expect<typeof matchers> = base.extend(matchers) as ExpectChain &
  Expect<typeof matchers>
