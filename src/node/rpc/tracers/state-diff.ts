import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'
import { toWord } from '#primitives/hex.ts'
import type { RpcPrestateDiff, RpcTracedAccount } from '#rpc-types/methods/debug.ts'
import type { RpcAccountDiff, RpcDelta, RpcStateDiff } from '#rpc-types/methods/trace.ts'

const ZERO_WORD = toWord(0)
const ZERO = { balance: '0x0', nonce: '0x0', code: '0x' } as const

/** What `prestateTracer` found to have changed, in Parity's format. */
export function stateDiffOf({ pre, post }: RpcPrestateDiff): RpcStateDiff {
  const diff: Record<Address, RpcAccountDiff> = {}
  for (const address of Object.keys({ ...pre, ...post }) as Address[]) {
    const [before, after] = [pre[address], post[address]]
    if (!before) diff[address] = whole('+', after ?? {})
    else if (!after) diff[address] = whole('-', before)
    else diff[address] = changesOf(before, after)
  }
  return diff
}

/** An account that was not there before, or is gone. */
function whole(sign: '+' | '-', account: RpcTracedAccount): RpcAccountDiff {
  const delta = <Value>(value: Value) => ({ [sign]: value }) as unknown as RpcDelta<Value>
  const { balance, nonce, code } = valuesOf(account)
  return {
    balance: delta(balance),
    nonce: delta(nonce),
    code: delta(code),
    storage: Object.fromEntries(slotsOf(account).map(([slot, value]) => [slot, delta(value)])),
  }
}

/** @param after - Has the fields that differ from `before`; both have the slots that do, except where they are 0. */
function changesOf(before: RpcTracedAccount, after: RpcTracedAccount): RpcAccountDiff {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  const slots = new Set([...slotsOf(before), ...slotsOf(after)].map(([slot]) => slot))
  const storage = [...slots].map((slot): [Hash, RpcDelta<Hash>] => [
    slot,
    changed(before.storage?.[slot] ?? ZERO_WORD, after.storage?.[slot] ?? ZERO_WORD),
  ])
  return {
    balance: after.balance === undefined ? '=' : changed(was.balance, is.balance),
    nonce: after.nonce === undefined ? '=' : changed(was.nonce, is.nonce),
    code: after.code === undefined ? '=' : changed(was.code, is.code),
    storage: Object.fromEntries(storage),
  }
}

function changed<Value>(from: Value, to: Value): RpcDelta<Value> {
  return { '*': { from, to } }
}

function valuesOf({ balance, nonce, code }: RpcTracedAccount): { balance: Quantity; nonce: Quantity; code: Hex } {
  return {
    balance: balance ?? ZERO.balance,
    nonce: nonce === undefined ? ZERO.nonce : `0x${nonce.toString(16)}`,
    code: code ?? ZERO.code,
  }
}

function slotsOf({ storage }: RpcTracedAccount): [Hash, Hash][] {
  return Object.entries(storage ?? {}) as [Hash, Hash][]
}
