import type { ExecutionCounts, GasCounts } from '#node/evm/coverage/execution-counts.ts'
import { type Hex, hexToBytes } from '#primitives/hex.ts'
import { signatureOf } from '#solidity/abi/signature.ts'
import type { AbiEntry } from '#solidity/build/build.ts'
import type { CodeIndex, RecognisedCode } from '#solidity/code/code-index.ts'
import { keccakOfText } from '#solidity/keccak.ts'
import { pairsIn } from './code-hits.ts'
import { cleanName, isChosen, type SourceChoice } from './own-sources.ts'

/** What transactions to a function cost. */
export interface GasRow {
  /** `src/Ledger.sol:Ledger` */
  readonly contract: string
  /** `pay()`, `constructor`, `receive`, `fallback` */
  readonly name: string
  /** What the chain went through meanwhile; empty for nothing. */
  readonly history: string
  /** Transactions that succeeded; the gas is theirs. */
  readonly calls: number
  readonly failed: number
  readonly least: number
  readonly median: number
  readonly most: number
}

interface Sums {
  readonly contract: string
  readonly name: string
  readonly history: string
  readonly amounts: Map<number, number>
  failed: number
}

/**
 * What transactions to the contracts of a project cost, by function, in the order of their names. A history has a row of
 * its own where a function cost something else in it than without faults.
 */
export function gasRows(
  { codes, gas }: Pick<ExecutionCounts, 'codes' | 'gas'>,
  index: CodeIndex,
  choice: SourceChoice = {},
): readonly GasRow[] {
  const bytes = new Map(codes.map(({ hash, isCreation, code }) => [keyOf(hash, isCreation), code]))
  const known = new Map<string, RecognisedCode | undefined>()
  const recognised = (hash: string, isCreation: boolean): RecognisedCode | undefined => {
    const key = keyOf(hash, isCreation)
    if (!known.has(key)) {
      const code = bytes.get(key)
      known.set(key, code && (isCreation ? index.creation : index.deployed)(hexToBytes(code)))
    }
    return known.get(key)
  }
  const rows = new Map<string, Sums>()
  for (const counts of gas) {
    const called = calledOf(counts, recognised)
    if (!called || !isChosen(called.path, choice)) continue
    const { history, isFailed, amounts } = counts
    const key = `${called.contract} ${called.name} ${history}`
    let row = rows.get(key)
    if (!row) rows.set(key, (row = { ...called, history, amounts: new Map(), failed: 0 }))
    for (const [amount, times] of pairsIn(amounts)) {
      if (isFailed) row.failed += times
      else row.amounts.set(amount, (row.amounts.get(amount) ?? 0) + times)
    }
  }
  const told = [...rows.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => rowOf(row))
  const plain = new Map(told.filter(({ history }) => history === '').map((row) => [nameOf(row), row]))
  return told.filter((row) => row.history === '' || !costsTheSame(row, plain.get(nameOf(row))))
}

const nameOf = ({ contract, name }: GasRow): string => `${contract} ${name}`

/** Whether no transaction failed, and those that did not cost as much as others have. */
function costsTheSame({ failed, least, most }: GasRow, plain: GasRow | undefined): boolean {
  return plain !== undefined && failed === 0 && least >= plain.least && most <= plain.most
}

function keyOf(hash: string, isCreation: boolean): string {
  return `${isCreation} ${hash}`
}

function rowOf({ contract, name, history, amounts, failed }: Sums): GasRow {
  const sorted = [...amounts].toSorted(([a], [b]) => a - b)
  const calls = sorted.reduce((sum, [, times]) => sum + times, 0)
  let left = Math.ceil(calls / 2)
  const median = sorted.find(([, times]) => (left -= times) <= 0)?.[0] ?? 0
  return {
    contract,
    name,
    history: cleanName(history).replace(/^\?$/, ''),
    calls,
    failed,
    least: sorted[0]?.[0] ?? 0,
    median,
    most: sorted.at(-1)?.[0] ?? 0,
  }
}

/** The function that a transaction called: that of the code which ran in the contract's place, if the contract has none. */
function calledOf(
  { code, isCreation, implementation, selector }: GasCounts,
  recognised: (hash: string, isCreation: boolean) => RecognisedCode | undefined,
): { readonly contract: string; readonly name: string; readonly path: string } | undefined {
  const target = recognised(code, isCreation)
  const own = target && nameIn(target, selector, isCreation)
  const behind = own?.isKnown || implementation === null ? undefined : recognised(implementation, false)
  const other = behind && nameIn(behind, selector, false)
  const [found, name] = other?.isKnown ? [behind, other.name] : [target, own?.name]
  if (!found || name === undefined) return undefined
  const { path, name: contract } = found.contract
  return { contract: `${path.replaceAll(/[^\w./@+-]/g, '_').slice(-300)}:${cleanName(contract)}`, name, path }
}

const SIGNATURES = new WeakMap<readonly AbiEntry[], ReadonlyMap<string, string>>()

function nameIn({ contract }: RecognisedCode, selector: Hex, isCreation: boolean): { name: string; isKnown: boolean } {
  if (isCreation) return { name: 'constructor', isKnown: true }
  let signatures = SIGNATURES.get(contract.abi)
  if (!signatures) {
    const functions = contract.abi.filter(({ type, name }) => type === 'function' && name !== undefined)
    const texts = functions.map(({ name = '', inputs }) => signatureOf(name, inputs))
    signatures = new Map(texts.map((text) => [keccakOfText(text).slice(0, 10), cleanName(text)]))
    SIGNATURES.set(contract.abi, signatures)
  }
  const name = signatures.get(selector)
  if (name !== undefined) return { name, isKnown: true }
  const receives = selector === '0x' && contract.abi.some(({ type }) => type === 'receive')
  return receives ? { name: 'receive', isKnown: true } : { name: 'fallback', isKnown: false }
}
