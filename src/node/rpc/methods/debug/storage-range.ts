import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, toWord } from '#primitives/hex.ts'
import type { RpcStorageRange } from '#rpc-types/methods/debug.ts'
import type { StateSnapshot } from '../../../state/state-snapshot.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { guardFor } from '../../caller-guard.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { blockRef, requireBlock } from '../../params/block-params.ts'
import { address, data } from '../../params/hex-params.ts'
import { type Param, ParamError } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'
import { stateBefore } from '../../tracers/replay.ts'

const KEY_BYTES = 32

/** Most slots per answer. */
const MAX_SLOTS = 10_000

/** A key or its first bytes. */
const keyStart: Param<Uint8Array> = {
  parse(value) {
    const bytes = data.parse(value)
    if (bytes.length <= KEY_BYTES) return bytes
    throw new ParamError(`a key has ${KEY_BYTES} bytes, not ${bytes.length}`)
  },
}

/** The storage of an account, part by part. */
export const DEBUG_STORAGE_METHODS = {
  /** The storage of an account, part by part. */
  debug_storageRangeAt: defineMethod(
    [blockRef, integerWithin(0, Number.MAX_SAFE_INTEGER), address, keyStart, integerWithin(0, MAX_SLOTS)],
    async (context, ref, txIndex, account, start, limit) => {
      const block = requireBlock(context, ref)
      const guard = guardFor(context)
      // The state after the block is available; any other has to be computed.
      const isAfter = txIndex === block.transactions.length
      const state = isAfter ? block.state : (await stateBefore(context, block, txIndex, guard)).snapshot()
      return rangeOf(state, account, start, limit, guard)
    },
    { queue: 'answer' },
  ),
} satisfies Partial<MethodTable>

async function rangeOf(
  state: StateSnapshot,
  account: Address,
  start: Uint8Array,
  limit: number,
  guard: ExecutionGuard,
): Promise<RpcStorageRange> {
  const storage: Record<Hash, { readonly key: Hash; readonly value: Hash }> = {}
  let count = 0
  for (const [key, slot, value] of state.slotsFrom(account, start)) {
    if (count === limit) return { storage, nextKey: bytesToHex(key) }
    storage[bytesToHex(key)] = { key: slot, value: toWord(bytesToBigInt(value)) }
    count++
    await guard.checkpoint()
  }
  return { storage, nextKey: null }
}
