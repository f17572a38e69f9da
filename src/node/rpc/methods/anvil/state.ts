import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, toQuantity, toWord } from '#primitives/hex.ts'
import type { DumpedAccount, StateDump } from '#rpc-types/state-dump.ts'
import type { ExecutionGuard } from '../../../evm/message.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../../spec/system-contracts.ts'
import { putAccount, setBalance, setSlot } from '../../../state/edit-account.ts'
import type { StateSnapshot } from '../../../state/state-snapshot.ts'
import type { WorldState } from '../../../state/world-state.ts'
import { guardFor } from '../../caller-guard.ts'
import type { CallerContext } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { parseInTurns } from '../../params/param.ts'
import { type DumpedAccounts, parseAccounts, type RawAccounts } from './state-dump-params.ts'

/** Contracts that a dump never replaces: they hold hashes of this chain's own blocks. */
export const SYSTEM_CONTRACTS: readonly string[] = [BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS]

/** Remembers the chain; the snapshot's id. */
export const takeSnapshot = ({ control }: CallerContext) => control.snapshot()

/** Goes back to a snapshot; `false` if there is none with that id. */
export const revertToSnapshot = ({ control }: CallerContext, id: bigint) => control.revertTo(toQuantity(id))

/** Starts the chain over, and forgets what was set on the node. A fork begins with funded development accounts again. */
export async function resetNode(context: CallerContext): Promise<void> {
  const { bundles, control, fork, impersonated, settings } = context
  await control.reset()
  impersonated.clear()
  bundles.clear()
  settings.reset()
  if (fork) await fundAccounts(context)
}

/** Gives the development accounts that have less the balance of a new chain, in the first block of the fork. */
async function fundAccounts(context: CallerContext): Promise<void> {
  const { caller, chain, control, spec } = context
  const { state } = chain.pending()
  const poor = spec.accounts.filter(({ address, balance }) => balance > (state.account(address)?.balance ?? 0n))
  if (poor.length === 0) return
  await control.edit((edited) => {
    for (const { address, balance } of poor) setBalance(edited, address, balance)
  })
  await control.seal(1, undefined, caller)
}

/** The state at `pending` as JSON. */
export function dumpState(context: CallerContext) {
  return formatStateDump(context.chain.pending().state, guardFor(context))
}

/**
 * Most bytes of code on the chain before setting more is refused: the node keeps every code while it runs, even a
 * replaced one, and nobody pays gas for these.
 */
const MAX_CODE_BYTES = 256 * 1024 * 1024

/** @throws {RpcRefusedError} `limit-exceeded`, if the new code does not fit into the budget. */
export function requireRoomForCode({ chain }: CallerContext, bytes: number): void {
  if (chain.pending().state.codes.bytes + bytes <= MAX_CODE_BYTES) return
  const limit = `the chain's codes take ${MAX_CODE_BYTES} bytes, no more can be set by hand`
  throw new RpcRefusedError('limit-exceeded', `${limit}: start a new chain`)
}

/**
 * Parses the accounts of a dump, which are the first argument.
 *
 * @throws {RpcRefusedError} `invalid-params`; `limit-exceeded`, if their codes do not fit into the budget.
 */
export async function readAccounts(context: CallerContext, raw: RawAccounts): Promise<DumpedAccounts> {
  const accounts = await parseInTurns(0, () => parseAccounts(raw, guardFor(context)))
  requireRoomForCode(
    context,
    [...accounts.values()].reduce((sum, { code }) => sum + code.length, 0),
  )
  return accounts
}

/** Puts accounts in the place of those with their addresses, one account or slot at a time. */
export function* putAccounts(state: WorldState, accounts: DumpedAccounts): Generator<void, void> {
  for (const [address, { storage, ...content }] of accounts) {
    if (SYSTEM_CONTRACTS.includes(address)) continue
    putAccount(state, address, content)
    yield
    for (const [slot, value] of storage) {
      setSlot(state, address, slot, value)
      yield
    }
  }
}

/** A whole state as JSON; hands the thread over as `guard` says. */
async function formatStateDump(state: StateSnapshot, guard: ExecutionGuard): Promise<StateDump> {
  const accounts: Record<Address, DumpedAccount> = {}
  for (const [address, { nonce, balance }] of state.accounts()) {
    const code = state.code(address)
    const storage: Record<Hash, Hash> = {}
    for (const [slot, value] of state.slots(address)) {
      storage[slot] = toWord(bytesToBigInt(value))
      await guard.checkpoint()
    }
    accounts[address] = {
      nonce: toQuantity(nonce),
      balance: toQuantity(balance),
      ...(code.length > 0 && { code: bytesToHex(code) }),
      ...(Object.keys(storage).length > 0 && { storage }),
    }
    await guard.checkpoint()
  }
  return { format: 'blinknet-state', version: 1, accounts }
}
