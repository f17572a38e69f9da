import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, hexToBytes, toQuantity, toWord } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { DumpedAccount, StateDump } from '#rpc-types/state-dump.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../../spec/system-contracts.ts'
import { type AccountContent, putAccount, setSlot } from '../../../state/edit-account.ts'
import type { StateSnapshot } from '../../../state/state-snapshot.ts'
import type { WorldState } from '../../../state/world-state.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { guardFor } from '../../caller-guard.ts'
import { parseCode } from '../../calls/code-params.ts'
import type { CallerContext } from '../../define-method.ts'
import { parseAddress } from '../../params/hex-params.ts'
import { cannotUnmarshal, jsonType, parseInTurns } from '../../params/param.ts'
import { amount, word } from './anvil-params.ts'
import { requireRoomForCode } from './code-budget.ts'
import type { RawAccounts } from './state-dump-params.ts'

/** Contracts that a dump never replaces: they hold hashes of this chain's own blocks. */
const SYSTEM_CONTRACTS: readonly string[] = [BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS]

type DumpedAccounts = ReadonlyMap<Address, AccountContent>

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

/** Loads accounts, and removes all others. */
export function* replaceAccounts(state: WorldState, accounts: DumpedAccounts): Generator<void, void> {
  for (const [address] of [...state.snapshot().accounts()]) {
    if (!SYSTEM_CONTRACTS.includes(address)) state.setAccount(address, undefined)
    yield
  }
  yield* putAccounts(state, accounts)
}

/**
 * Parses accounts; hands the thread over as `guard` says.
 *
 * @throws {ParamError} For the first one that is invalid.
 */
async function parseAccounts(accounts: RawAccounts, guard: ExecutionGuard): Promise<DumpedAccounts> {
  const parsed = new Map<Address, AccountContent>()
  for (const [address, content] of Object.entries(accounts)) {
    parsed.set(parseAddress(address, 'accounts'), await parseContent(content, guard))
    await guard.checkpoint()
  }
  return parsed
}

async function parseContent(value: unknown, guard: ExecutionGuard): Promise<AccountContent> {
  if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'struct field accounts of type Account')
  const { nonce = 0, balance = 0, code, storage } = value
  const slots = storage ?? {}
  if (!isObject(slots)) throw cannotUnmarshal(jsonType(slots), 'struct field storage')
  const account = {
    nonce: amount(64).parse(nonce),
    balance: amount(256).parse(balance),
    code: code === undefined || code === null ? new Uint8Array(0) : parseCode(code, 'code'),
  }
  const parsed = new Map<Hash, Uint8Array>()
  for (const [slot, content] of Object.entries(slots)) {
    parsed.set(word.parse(slot), hexToBytes(word.parse(content)))
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  return { ...account, storage: parsed }
}

/** A whole state as JSON; hands the thread over as `guard` says. */
export async function formatStateDump(state: StateSnapshot, guard: ExecutionGuard): Promise<StateDump> {
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
