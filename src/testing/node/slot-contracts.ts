import { type Hex, toWord } from '#primitives/hex.ts'
import { devAccount } from './test-node.ts'

/** Code that returns the sum of as many of its slots as the first word of the calldata says. */
export const SUMMER: Hex = '0x5f5f5b5f358110156017578054820191506001016002565b505f5260205ff3'
/** Code that sets the slot of the first word to the second. */
export const SETTER: Hex = '0x6020355f355500'

/** A transaction of development account 0 that sets a slot of a contract with the code {@link SETTER}. */
export function signSetSlot(contract: Hex, nonce: number, slot: number, value: number): Promise<Hex> {
  return devAccount(0).signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce,
    to: contract,
    data: `${toWord(slot)}${toWord(value).slice(2)}`,
    gas: 100_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
  })
}
