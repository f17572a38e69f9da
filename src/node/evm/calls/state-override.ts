import type { Address, Hash } from '#primitives/hex.ts'
import { checksumAddress } from '../../crypto/checksum-address.ts'
import { EMPTY_CODE_HASH, StateSnapshot } from '../../state/state-snapshot.ts'
import { WorldState } from '../../state/world-state.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { BlockEnv } from '../block-env.ts'
import type { CallContext } from './call.ts'
import { CallFailedError } from './call.ts'

/** Overrides of one account for a call; `undefined` fields stay as they are. */
export interface AccountOverride {
  /** Wei. */
  readonly balance: bigint | undefined
  readonly nonce: bigint | undefined
  readonly code: Uint8Array | undefined
  /** Replaces all of the account's slots; excludes `stateDiff`. Values are big-endian without leading zeros. */
  readonly state: ReadonlyMap<Hash, Uint8Array> | undefined
  /** Replaces some slots. */
  readonly stateDiff: ReadonlyMap<Hash, Uint8Array> | undefined
  /** The address to which the precompile of this account moves. */
  readonly movePrecompileTo: Address | undefined
}

export type StateOverride = ReadonlyMap<Address, AccountOverride>

/** Number of accounts and slots after which the tries are updated, with a pause. */
const CHANGES_PER_SLICE = 256

/**
 * State and environment with a call's overrides; the originals are not changed.
 *
 * @param precompiles - The engine's.
 * @throws {CallFailedError} `bad-override`.
 */
export async function overrideState(
  { state, env }: CallContext,
  overrides: StateOverride,
  precompiles: ReadonlySet<Address>,
  guard: ExecutionGuard,
): Promise<CallContext> {
  if (overrides.size === 0) return { state, env }
  const changed = new WorldState(separateCodes(state))
  const places = await applyStateOverride(changed, overrides, placesOf(env, precompiles), guard)
  return { state: changed.snapshot(), env: { ...env, precompiles: places } }
}

/** A state like the given one, except that new codes are not stored with the chain's. */
export function separateCodes(state: StateSnapshot): StateSnapshot {
  return new StateSnapshot(state.branchAccounts(), state.codes.branch(), state.noteMissing)
}

/** The precompiles' addresses in that environment. */
export function placesOf(
  { precompiles: moved }: Pick<BlockEnv, 'precompiles'>,
  precompiles: ReadonlySet<Address>,
): ReadonlyMap<Address, Address> {
  return moved ?? new Map([...precompiles].map((address) => [address, address]))
}

/**
 * Applies overrides as geth does, account by account in the order of their addresses. Pauses as `guard` says.
 *
 * @param places - Address → precompile at that address.
 * @returns The new places of precompiles: one whose account is overridden is gone, unless it moves.
 * @throws {CallFailedError} `bad-override`.
 */
export async function applyStateOverride(
  state: WorldState,
  overrides: StateOverride,
  places: ReadonlyMap<Address, Address>,
  guard: ExecutionGuard,
): Promise<ReadonlyMap<Address, Address>> {
  const moved = new Map(places)
  const taken = new Set<Address>()
  let changes = 0
  const countChange = () => {
    if (++changes % CHANGES_PER_SLICE !== 0) return undefined
    state.snapshot()
    return guard.checkpoint()
  }
  state.beginTransaction()
  for (const [address, override] of [...overrides].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (taken.has(address)) refuse(`account ${checksumAddress(address)} has already been overridden by a precompile`)
    const precompile = moved.get(address)
    const target = override.movePrecompileTo
    if (target !== undefined) {
      if (precompile === undefined) refuse(`account ${checksumAddress(address)} is not a precompile`)
      if (overrides.has(target)) refuse(`account ${checksumAddress(target)} is already overridden`)
      moved.set(target, precompile)
      taken.add(target)
    }
    moved.delete(address)
    overrideAccount(state, address, override)
    await countChange()
    for (const [slot, value] of override.state ?? override.stateDiff ?? []) {
      state.setStorage(address, slot, value)
      const pause = countChange()
      if (pause) await pause
    }
  }
  return moved
}

/** Applies everything except the values of slots. */
function overrideAccount(state: WorldState, address: Address, override: AccountOverride): void {
  if (override.state && override.stateDiff)
    refuse(`account ${checksumAddress(address)} has both 'state' and 'stateDiff'`)
  const { nonce, balance } = override
  if (nonce !== undefined || balance !== undefined) {
    const account = state.account(address) ?? { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH }
    state.setAccount(address, { ...account, nonce: nonce ?? account.nonce, balance: balance ?? account.balance })
  }
  if (override.code) state.setCode(address, override.code)
  if (override.state) state.clearStorage(address)
}

function refuse(message: string): never {
  throw new CallFailedError('bad-override', message)
}
