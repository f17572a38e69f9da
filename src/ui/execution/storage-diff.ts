import { type Address, type Hash, toWord } from '#primitives/hex.ts'
import type { RpcPrestateDiff } from '#rpc-types/methods/debug.ts'

/** The changes of a transaction to an account's storage. */
export interface StorageDiff {
  readonly address: Address
  /** Values before it, by slot, for slots that it changed or used. */
  readonly before: ReadonlyMap<Hash, Hash>
  /** Values of the same slots after it. */
  readonly after: ReadonlyMap<Hash, Hash>
}

const ADDRESS = /^0x[\da-f]{40}$/i
const HASH = /^0x[\da-f]{64}$/i
const ZERO = toWord(0)

/** The slots in a chain's answer, without invalid ones. */
export function storageOf(storage: Readonly<Record<Hash, Hash>> | undefined): Map<Hash, Hash> {
  const entries = Object.entries(storage ?? {}) as [Hash, Hash][]
  return new Map(entries.filter(([slot, word]) => HASH.test(slot) && HASH.test(word)))
}

/**
 * The storage changes of a transaction, in the order of the tracer.
 *
 * @param diff - From `prestateTracer` in `diffMode`, which leaves out zeros.
 * @param used - Values before the transaction of other slots that it used; strings may need them.
 */
export function storageDiffs(
  { pre, post }: RpcPrestateDiff,
  used: Readonly<Record<Address, Readonly<Record<Hash, Hash>>>>,
): readonly StorageDiff[] {
  const accounts = new Set([...Object.keys(pre), ...Object.keys(post)] as Address[])
  return [...accounts].flatMap((address) => {
    if (!ADDRESS.test(address)) return []
    const old = storageOf(pre[address]?.storage)
    const changed = storageOf(post[address]?.storage)
    if (old.size === 0 && changed.size === 0) return []
    const before = new Map([...storageOf(used[address]), ...old])
    for (const slot of changed.keys()) if (!before.has(slot)) before.set(slot, ZERO)
    const after = new Map(before)
    for (const slot of old.keys()) after.set(slot, ZERO)
    for (const [slot, word] of changed) after.set(slot, word)
    return { address, before, after }
  })
}
