import { AssertionError } from 'node:assert'
import type { ChainAssertions, ChainMatchers } from './chain-assertions.ts'
import type { ChainLike } from './expected-chain.ts'
import { type MatcherResult, type MatcherState, matchers } from './matchers.ts'

type Matcher = (this: MatcherState, chain: ChainLike, ...rest: readonly unknown[]) => Promise<MatcherResult>

/**
 * Checks of a chain, for test runners without an `expect` of their own, such as `node:test`:
 * `await expect(chain).toHaveSealed(hash)`. Other runners take the {@link matchers}.
 *
 * @throws {AssertionError} From each check that does not hold.
 */
export function expect(chain: ChainLike): ChainAssertions {
  return { ...checksOf(chain, false), not: checksOf(chain, true) }
}

function checksOf(chain: ChainLike, isNot: boolean): ChainMatchers {
  const checks = Object.entries(matchers).map(([name, matcher]) => {
    const check = async (...rest: readonly unknown[]): Promise<void> => {
      const { pass, message, actual, expected } = await (matcher as Matcher).call({ isNot }, chain, ...rest)
      if (pass === isNot) throw new AssertionError({ message: message(), actual, expected, operator: name })
    }
    return [name, check] as const
  })
  return Object.fromEntries(checks) as unknown as ChainMatchers
}
