import type { AbiFunction } from 'viem'
import { type Hex, hexToBytes } from '#primitives/hex.ts'
import { indexOf } from './abi-index.ts'
import { BY_STANDARD } from './knowledge.ts'
import type { KnownContract } from './known-contracts.ts'
import type { SelectorTable } from './selector-table.ts'

const SUB = 0x03
const EQ = 0x14
const ISZERO = 0x15
const XOR = 0x18
const MLOAD = 0x51
const JUMPI = 0x57
const PUSH0 = 0x5f
const PUSH1 = 0x60
const PUSH3 = 0x62
const PUSH4 = 0x63
const PUSH32 = 0x7f
const DUP1 = 0x80
const SWAP16 = 0x9f

/** Most functions that are looked for; contracts have fewer. */
const MOST = 1_000

/** What a contract without a known ABI seems to be. */
export interface GuessedContract {
  /** The functions that are known by their selectors. */
  readonly contract: KnownContract
  /** Whose interfaces they are, that with the most functions first. */
  readonly of: readonly string[]
  /** The selectors that nobody knows here. */
  readonly unknown: readonly Hex[]
}

/** Guesses a contract's functions by the selectors in its code; `undefined` if it seems to have none. */
export function guessContract(table: SelectorTable, code: Hex): GuessedContract | undefined {
  const selectors = selectorsIn(code)
  if (selectors.length === 0) return undefined
  const counts = new Map<string, number>()
  const abi: AbiFunction[] = []
  const unknown: Hex[] = []
  for (const selector of selectors) {
    const known = functionOf(table, selector)
    if (!known) {
      unknown.push(selector)
      continue
    }
    abi.push(known.item)
    counts.set(known.of, (counts.get(known.of) ?? 0) + 1)
  }
  const of = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
  return { contract: { name: 'Contract', abi }, of, unknown }
}

/** The function of a selector, and whose it is; `undefined` if none is known. */
function functionOf(table: SelectorTable, selector: Hex) {
  for (const { abi, source } of [...BY_STANDARD, ...table.find(selector)]) {
    const item = indexOf(abi).functions.get(selector)?.item
    if (item) return { item, of: source.name }
  }
  return undefined
}

/**
 * The selectors that code compares its call data with before it jumps, in order: those of its functions, as the compilers
 * of Solidity and Vyper write them. Selectors of what a contract calls elsewhere are pushed, too, but not compared.
 */
export function selectorsIn(code: Hex): readonly Hex[] {
  const bytes = hexToBytes(code)
  const found = new Set<Hex>()
  for (let at = 0; at < bytes.length && found.size < MOST; at++) {
    const op = bytes[at] as number
    const end = at + 1 + pushed(op)
    // A selector that begins with a zero byte is pushed without it.
    if ((op === PUSH4 || op === PUSH3) && isDispatched(bytes, end)) {
      const digits = code.slice(2 + 2 * (at + 1), 2 + 2 * end)
      found.add(`0x${digits.toLowerCase().padStart(8, '0')}`)
    }
    at = end - 1
  }
  return [...found]
}

/** Bytes that an instruction pushes. */
function pushed(op: number | undefined): number {
  return op !== undefined && op >= PUSH1 && op <= PUSH32 ? op - PUSH0 : 0
}

/** Whether the code jumps by what was just pushed, compared with a stack item, or with a word of memory as Vyper does. */
function isDispatched(bytes: Uint8Array, start: number): boolean {
  let at = start
  const next = () => bytes[at++]
  let op = next()
  if (op !== undefined && op >= DUP1 && op <= SWAP16) op = next()
  else if (op === PUSH0 || op === PUSH1) {
    at += pushed(op)
    if (next() !== MLOAD) return false
    op = next()
  }
  if (op !== EQ && op !== XOR && op !== SUB) return false
  op = next()
  if (op === ISZERO) op = next()
  const size = pushed(op)
  at += size
  return size > 0 && size <= 3 && next() === JUMPI
}
