import { isObject } from '#primitives/json-object.ts'
import { isCount } from '#solidity/build/json.ts'
import type { GasRow } from './gas-report.ts'

/** Longest file, in characters. */
export const MAX_GAS_FILE = 16 << 20
const VERSION = 1

/** Gas of a function in an earlier run. */
export interface KnownGas {
  readonly calls: number
  readonly least: number
  readonly median: number
  readonly most: number
}

/** By contract, then by function and history. */
export type GasFile = ReadonlyMap<string, ReadonlyMap<string, KnownGas>>

/** A function's median gas, before and now. */
export interface GasChange {
  readonly contract: string
  readonly function: string
  readonly before: number
  readonly now: number
}

export interface GasComparison {
  readonly grew: readonly GasChange[]
  readonly shrank: readonly GasChange[]
  /** Functions that the file does not have. */
  readonly added: number
}

/** The key of a row in its contract: `pay()`, or `pay() [reorg]`. */
export function functionKey({ name, history }: Pick<GasRow, 'name' | 'history'>): string {
  return history === '' ? name : `${name} [${history}]`
}

/**
 * Reads the file that a project keeps.
 *
 * @throws {Error} With what is wrong about it.
 */
export function readGasFile(text: string): GasFile {
  if (text.length > MAX_GAS_FILE) throw new Error(`it has more than ${MAX_GAS_FILE} characters`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Error('it is not JSON', { cause })
  }
  if (!isObject(value) || value['version'] !== VERSION || !isObject(value['contracts'])) {
    throw new Error(`it is no gas file of version ${VERSION}`)
  }
  return new Map(
    Object.entries(value['contracts']).map(([contract, functions]) => [
      contract,
      new Map(
        Object.entries(isObject(functions) ? functions : {}).map(([name, gas]) => [name, readGas(gas, contract, name)]),
      ),
    ]),
  )
}

function readGas(value: unknown, contract: string, name: string): KnownGas {
  if (isObject(value)) {
    const { calls, least, median, most } = value
    if (isCount(calls) && isCount(least) && isCount(median) && isCount(most)) return { calls, least, median, most }
  }
  throw new Error(`${contract} ${name} has no numbers`)
}

/** The file with the rows of a run, and what it had before of functions that this run has not called. */
export function writeGasFile(rows: readonly GasRow[], before: GasFile = new Map()): string {
  const contracts = new Map([...before].map(([contract, functions]) => [contract, new Map(functions)]))
  for (const row of rows) {
    if (row.calls === 0) continue
    const functions = contracts.get(row.contract) ?? new Map<string, KnownGas>()
    contracts.set(row.contract, functions)
    const { calls, least, median, most } = row
    functions.set(functionKey(row), { calls, least, median, most })
  }
  const sorted = [...contracts].toSorted(byKey).map(([contract, functions]) => {
    const lines = [...functions].toSorted(byKey).map(([name, gas]) => `      ${JSON.stringify(name)}: ${oneLine(gas)}`)
    return `    ${JSON.stringify(contract)}: {\n${lines.join(',\n')}\n    }`
  })
  // A function a line: a change shows as one in a review.
  return `{\n  "version": ${VERSION},\n  "contracts": {\n${sorted.join(',\n')}\n  }\n}\n`
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function oneLine({ calls, least, median, most }: KnownGas): string {
  return `{ "calls": ${calls}, "least": ${least}, "median": ${median}, "most": ${most} }`
}

/** Compares the medians of a run with those of the file. @param share - How much more or less counts: 0.01 is 1 %. */
export function compareGas(rows: readonly GasRow[], before: GasFile, share: number): GasComparison {
  const grew: GasChange[] = []
  const shrank: GasChange[] = []
  let added = 0
  for (const row of rows) {
    if (row.calls === 0) continue
    const known = before.get(row.contract)?.get(functionKey(row))
    if (!known) {
      added++
      continue
    }
    const change = { contract: row.contract, function: functionKey(row), before: known.median, now: row.median }
    if (row.median > known.median * (1 + share)) grew.push(change)
    else if (row.median < known.median * (1 - share)) shrank.push(change)
  }
  return { grew, shrank, added }
}

/** A function that cost more than its budget. */
export interface OverBudget {
  readonly contract: string
  readonly function: string
  readonly most: number
  readonly budget: number
}

/**
 * Functions of which a transaction cost more than the budget.
 *
 * @param budget - Gas by `Ledger.pay(uint256)`, `Ledger.pay` for all of that name, or `Ledger` for all functions.
 */
export function overBudget(rows: readonly GasRow[], budget: Readonly<Record<string, number>>): readonly OverBudget[] {
  return rows.flatMap((row) => {
    const contract = row.contract.slice(row.contract.lastIndexOf(':') + 1)
    const keys = [`${contract}.${row.name}`, `${contract}.${row.name.replace(/\(.*/, '')}`, contract]
    const limit = keys
      .map((key) => (Object.hasOwn(budget, key) ? budget[key] : undefined))
      .find((each) => each !== undefined)
    if (limit === undefined || row.most <= limit) return []
    return { contract: row.contract, function: functionKey(row), most: row.most, budget: limit }
  })
}

/** Names in a budget that are those of no function that was called. */
export function unusedBudgets(rows: readonly GasRow[], budget: Readonly<Record<string, number>>): readonly string[] {
  const used = new Set(
    rows.flatMap(({ contract, name }) => {
      const short = contract.slice(contract.lastIndexOf(':') + 1)
      return [`${short}.${name}`, `${short}.${name.replace(/\(.*/, '')}`, short]
    }),
  )
  return Object.keys(budget).filter((key) => !used.has(key))
}
