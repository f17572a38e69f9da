import { type Address, type Hash, hexToBytes } from '#primitives/hex.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, SYSTEM_ADDRESS } from '../../spec/system-contracts.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { BlockEnv } from '../block-env.ts'
import type { Engine } from '../engine.ts'

const SYSTEM_CALL_GAS = 30_000_000n

/** The input of a block's system calls. */
export interface BlockRoots {
  readonly parentHash: Hash
  readonly parentBeaconBlockRoot: Hash
}

/**
 * Makes the system calls at the start of a block, which store the beacon root (EIP-4788) and the parent's hash (EIP-2935). On
 * an OP Stack chain, L1Block is written first.
 *
 * A call fails if somebody has replaced the contract's code. It then has no effect, and the block continues.
 *
 * @returns A message for each failed call.
 */
export async function applySystemCalls(
  engine: Engine,
  state: WorldState,
  env: BlockEnv,
  roots: BlockRoots,
  guard: ExecutionGuard,
): Promise<readonly string[]> {
  const failures: string[] = []
  if (engine.rollup) {
    state.beginTransaction()
    engine.rollup.beginBlock(state, env)
  }
  const call = async (to: Address, input: Hash) => {
    state.beginTransaction()
    const result = await engine.run(
      state,
      env,
      {
        from: SYSTEM_ADDRESS,
        to,
        value: 0n,
        input: hexToBytes(input),
        gas: SYSTEM_CALL_GAS,
        gasPrice: 0n,
        warmAddresses: [],
        warmSlots: [],
      },
      guard,
    )
    if (result.failure) failures.push(`the system call to ${to} failed: ${result.failure.message}`)
  }
  await call(BEACON_ROOTS_ADDRESS, roots.parentBeaconBlockRoot)
  await call(HISTORY_STORAGE_ADDRESS, roots.parentHash)
  return failures
}
