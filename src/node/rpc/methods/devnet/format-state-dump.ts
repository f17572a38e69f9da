import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, toQuantity, toWord } from '#primitives/hex.ts'
import type { DumpedAccount, StateDump } from '#rpc-types/state-dump.ts'
import type { ExecutionGuard } from '../../../evm/message.ts'
import type { StateSnapshot } from '../../../state/state-snapshot.ts'

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
