import { type Account, EMPTY_CODE_HASH } from '#node/state/state-reader.ts'
import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, type Hash, toQuantity } from '#primitives/hex.ts'
import type { RecordedFork } from './recorded-fork.ts'
import { isOfSystem } from './recorder.ts'

const NOBODY: Account = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH }

/**
 * What is different between two blocks, contract by contract, of what both have; without what system calls write, which
 * each block changes.
 */
export function differences(before: RecordedFork, after: RecordedFork): readonly string[] {
  const counts = { balances: 0, nonces: 0, codes: 0, slots: 0 }
  const common = new Map(after.accounts())
  const accounts = before.accounts().filter(([address]) => common.has(address) && !isOfSystem(address))
  const lines = accounts.flatMap(([address, slots]) => {
    const there = new Set(common.get(address))
    const found = [
      ...ofAccount(before, after, address, counts),
      ...ofSlots(
        before,
        after,
        address,
        slots.filter((slot) => there.has(slot)),
        counts,
      ),
    ]
    return found.length === 0 ? [] : ['', address, ...found.map((line) => `  ${line}`)]
  })
  const changed = lines.filter((line) => line.startsWith('0x')).length
  const sums = Object.entries(counts).map(([what, count]) => `${count} ${what}`)
  return [...lines, '', `${changed} of ${accounts.length} accounts are different: ${sums.join(', ')}.`]
}

interface Counts {
  balances: number
  nonces: number
  codes: number
  slots: number
}

function ofAccount(before: RecordedFork, after: RecordedFork, address: Address, counts: Counts): readonly string[] {
  const [then, now] = [before, after].map(({ fork }) => fork.block.state.account(address) ?? NOBODY)
  const lines: string[] = []
  if (!then || !now) return lines
  if (then.balance !== now.balance) {
    counts.balances++
    lines.push(`balance ${then.balance} → ${now.balance} wei`)
  }
  if (then.nonce !== now.nonce) {
    counts.nonces++
    lines.push(`nonce ${then.nonce} → ${now.nonce}`)
  }
  if (then.codeHash !== now.codeHash) {
    counts.codes++
    lines.push(`code ${codeOf(before, then)} → ${codeOf(after, now)}`)
  }
  return lines
}

function codeOf({ fork }: RecordedFork, { codeHash }: Account): string {
  if (codeHash === EMPTY_CODE_HASH) return 'none'
  return `${codeHash} (${fork.block.state.codes.get(codeHash).length} bytes)`
}

function ofSlots(
  before: RecordedFork,
  after: RecordedFork,
  address: Address,
  slots: readonly Hash[],
  counts: Counts,
): readonly string[] {
  return slots.flatMap((slot) => {
    const [then, now] = [before, after].map(({ fork }) =>
      toQuantity(bytesToBigInt(fork.block.state.storage(address, slot))),
    )
    if (then === now) return []
    counts.slots++
    return [`slot ${slot}  ${then} → ${now}`]
  })
}
