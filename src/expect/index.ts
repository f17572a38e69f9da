export type { AbiLike } from './abi-types.ts'
export {
  type Bridge,
  type BridgeCall,
  type BridgeDelivery,
  type BridgedEvent,
  type BridgeMessage,
  type BridgeOptions,
  bridge,
  type WhichMessage,
} from './bridge.ts'
export type { ChainAssertions, ChainMatchers } from './chain-assertions.ts'
export { expect } from './expect.ts'
export type { ChainLike } from './expected-chain.ts'
export {
  type BalanceOptions,
  type ExpectedEvent,
  type ExpectedRevert,
  type MatcherOptions,
  matchers,
  type TokenAllowance,
} from './matchers.ts'
export {
  type Mock,
  type MockBehaviour,
  type MockCall,
  type MockedContract,
  type MockRevert,
  mockContract,
} from './mock-contract.ts'
export type { LayoutSource, StorageArtifactLike, StorageLayoutLike, StoragePlace } from './storage-types.ts'
