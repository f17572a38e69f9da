import { concatHex, getContractAddress, type Hex } from 'viem'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address } from '#primitives/hex.ts'

/** The CREATE2 deployer of every Blinknet chain; its input is a salt and the initcode. */
export const CREATE2_DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SALT: Hex = `0x${'0'.repeat(64)}`

/** `LoadTarget.sol`, compiled; `load-target.test.ts` compiles it again and compares. */
export const LOAD_TARGET_CODE: Hex =
  '0x6080604052348015600e575f5ffd5b5060f58061001b5f395ff3fe6080604052348015600e575f5ffd5b5060043610603a575f3560e01c806306661abd14603e57806362c69b80146057578063d09de08a14605f575b5f5ffd5b60455f5481565b60405190815260200160405180910390f35b605d6065565b005b605d6084565b6040516388e70beb60e01b815233600482015260240160405180910390fd5b60015f5f8282546093919060d1565b90915550505f5460405190815233907f661fab7f24b9fdb6d088a46b82c477922b83ae7f1de8173a4670c3802fc6f9219060200160405180910390a2565b8082018082111560ef57634e487b7160e01b5f52601160045260245ffd5b9291505056'

/** The contract's address, the same on every chain. */
export const LOAD_TARGET = getContractAddress({
  opcode: 'CREATE2',
  from: CREATE2_DEPLOYER,
  salt: SALT,
  bytecode: LOAD_TARGET_CODE,
}).toLowerCase() as Address

/** Data of the transaction to the CREATE2 deployer that creates the contract. */
export const DEPLOYMENT_INPUT = concatHex([SALT, LOAD_TARGET_CODE])

/** Calls of the contract. */
export const LOAD_CALLS = {
  /** `increment()`: changes a slot and emits a log. */
  increment: '0xd09de08a',
  /** `refuse()`: reverts. */
  refuse: '0x62c69b80',
} as const

/**
 * Whether the contract exists at the newest partial block.
 *
 * @throws {ProviderRpcError}
 */
export async function isDeployed(provider: BlinknetProvider): Promise<boolean> {
  return (await provider.request({ method: 'eth_getCode', params: [LOAD_TARGET, 'pending'] })) !== '0x'
}
