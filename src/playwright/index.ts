import '#server/relaxed-simd.ts'

export type { ChainOptions } from '#library/chain.ts'
export { type BlinknetFixtures, type BlinknetOptions, type BlinknetTest, test } from './fixtures.ts'
export { expect, type MatcherOptions } from './matchers.ts'
export type { TestChain } from './test-chain.ts'
export type { SwitchChainRequest, Wallet, WalletOptions, WalletQuestion } from './wallet.ts'
