import type { Address, Hex } from '#primitives/hex.ts'
import type { LoadPattern } from './load-plan.ts'
import { LOAD_CALLS, LOAD_TARGET } from './load-target.ts'

/** What a transaction of the load carries; value in wei. */
export interface LoadContent {
  readonly to: Address
  readonly value: bigint
  readonly input: Hex
  /** Gas limit. */
  readonly gas: bigint
}

/** What one transaction of a pattern does. @param neighbour - Whom a transfer goes to. */
export function contentOf(pattern: LoadPattern, neighbour: Address): LoadContent {
  switch (pattern) {
    case 'steady':
    case 'burst':
      return { to: neighbour, value: 1_000_000_000n, input: '0x', gas: 21_000n }
    case 'calls':
      return { to: LOAD_TARGET, value: 0n, input: LOAD_CALLS.increment, gas: 80_000n }
    case 'reverts':
      return { to: LOAD_TARGET, value: 0n, input: LOAD_CALLS.refuse, gas: 40_000n }
  }
}
