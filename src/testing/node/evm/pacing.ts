import type { BlockEnv } from '#node/evm/block-env.ts'
import type { Engine } from '#node/evm/engine.ts'
import type { MessageResult } from '#node/evm/message.ts'
import { EMPTY_CODE_HASH } from '#node/state/state-snapshot.ts'
import type { WorldState } from '#node/state/world-state.ts'
import type { ExecutionGuard } from '#node/turns/guard.ts'
import { type Address, toWord } from '#primitives/hex.ts'

const ENV: BlockEnv = {
  number: 1,
  timestamp: 1_700_000_000,
  coinbase: `0x${'42'.repeat(20)}`,
  prevRandao: toWord(0),
  gasLimit: 400_000_000n,
  baseFee: 0n,
  blockHash: () => undefined,
}
const SENDER: Address = `0x${'11'.repeat(20)}`
export const CONTRACT: Address = `0x${'22'.repeat(20)}`

/** Hashes a megabyte: 200,000 gas. */
export const HASH_A_MEGABYTE = '620fffff5f2050'

/** Sends a message with plenty of gas. */
export async function send(
  engine: Engine,
  state: WorldState,
  to: Address | null,
  input: Uint8Array,
  guard: ExecutionGuard,
): Promise<MessageResult> {
  // The sender's nonce was already incremented.
  state.setAccount(SENDER, { nonce: 1n, balance: 0n, codeHash: EMPTY_CODE_HASH })
  const message = { from: SENDER, to, value: 0n, input, gas: 16_000_000n, gasPrice: 0n }
  return engine.run(state, ENV, { ...message, warmAddresses: [], warmSlots: [] }, guard)
}
