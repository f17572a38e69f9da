import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { appendFile, lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import { harmlessLine } from '#primitives/harmless-line.ts'
import { readArtifacts } from '#server/artifacts/read-artifacts.ts'
import { replaceFile } from '#server/state/replace-file.ts'
import type { Build } from '#solidity/build/build.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { recognise } from './code-hits.ts'
import { type CoveredFile, coverSources } from './coverage-map.ts'
import {
  compareGas,
  type GasFile,
  MAX_GAS_FILE,
  overBudget,
  readGasFile,
  unusedBudgets,
  writeGasFile,
} from './gas-file.ts'
import { type GasRow, gasRows } from './gas-report.ts'
import type { SourceChoice } from './own-sources.ts'
import type { Part } from './parts.ts'
import { coverageLines, gasLines, historyLines, markdownOf, type RunReport } from './summary.ts'
import { type CoverageTotals, istanbulMap, printTable, totalsOf, writeReports } from './write-reports.ts'

/** What a reporter tells of gas. */
export interface GasOptions {
  /** File that is compared with, and written where there is none; default `gas.json`. `false` for none. */
  readonly file?: string | false
  /** From how much more on a median counts as more; default 0.01, which is 1 %. */
  readonly growth?: number
  /** Whether a run fails in which a function costs more; default `false`. */
  readonly failOnGrowth?: boolean
  /**
   * The most gas that a transaction may take, by `Ledger.pay(uint256)`, `Ledger.pay` or `Ledger`. A run in which one takes more
   * fails.
   */
  readonly budget?: Readonly<Record<string, number>>
  /** Whether the file is written anew; default: if the environment has `BLINKNET_GAS=update`, or snapshots are updated. */
  readonly update?: boolean
}

/** Options of the reporters. */
export interface CoverageOptions extends SourceChoice {
  /** Folders of the compiler's output; default: `out`, `artifacts`, those of them that are there. */
  readonly artifacts?: string | readonly string[]
  /** Folder of the reports; default `coverage`. */
  readonly outputFolder?: string
  /** Whether coverage is reported; default `true`. */
  readonly coverage?: boolean
  /** Percent of a hundred that must be covered; a run below fails. */
  readonly thresholds?: { readonly lines?: number; readonly functions?: number; readonly branches?: number }
  readonly gas?: GasOptions | false
}

const DEFAULT_ARTIFACTS = ['out', 'artifacts']
const DEFAULT_GAS_FILE = 'gas.json'
const DEFAULT_GROWTH = 0.01
/** Longest source that is compared with that of a build, in bytes. */
const MAX_SOURCE_BYTES = 4 << 20
/** Longest summary that GitHub takes, in bytes. */
const MAX_SUMMARY = 1_000_000
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Where a run was, and whom it tells. */
export interface RunPlace {
  readonly print: (line: string) => void
  /** Whether snapshots are updated. */
  readonly isUpdate: boolean
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly width?: number | undefined
}

/** @throws {TypeError} The message names the option. */
export function checkCoverageOptions(options: CoverageOptions): void {
  const { artifacts, outputFolder, thresholds = {}, gas, include, exclude } = options
  const isText = (value: unknown) => typeof value === 'string' && value !== '' && !value.includes('\0')
  const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
  if (artifacts !== undefined && !isText(artifacts) && !isTexts(artifacts))
    throw new TypeError('artifacts names folders')
  if (outputFolder !== undefined && !isText(outputFolder)) throw new TypeError('outputFolder names a folder')
  if (include !== undefined && !isTexts(include)) throw new TypeError('include is a list of paths')
  if (exclude !== undefined && !isTexts(exclude)) throw new TypeError('exclude is a list of paths')
  for (const [name, value] of Object.entries(thresholds)) {
    if (!['lines', 'functions', 'branches'].includes(name)) throw new TypeError(`thresholds has no ${name}`)
    if (typeof value !== 'number' || !(value >= 0 && value <= 100))
      throw new TypeError(`thresholds.${name} is from 0 to 100`)
  }
  if (!gas) return
  if (gas.file !== undefined && gas.file !== false && !isText(gas.file)) throw new TypeError('gas.file names a file')
  if (gas.growth !== undefined && !(gas.growth >= 0)) throw new TypeError('gas.growth is a share, such as 0.01')
  for (const [name, value] of Object.entries(gas.budget ?? {})) {
    if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`gas.budget of ${name} is no amount of gas`)
  }
}

/**
 * Writes and prints what a run has counted.
 *
 * @returns Why the run fails, if it does.
 */
export async function reportRun(part: Part, options: CoverageOptions, place: RunPlace): Promise<readonly string[]> {
  const { env = process.env } = place
  const print = (line: string) => place.print(harmlessLine(line))
  const { gas: gasOptions = {}, outputFolder = 'coverage', coverage = true } = options
  const failures: string[] = []
  const { builds, roots, refused } = await readBuilds(options.artifacts)
  for (const line of refused) print(line)
  if (part.codes.length === 0)
    print('Solidity: nothing was executed; a chain tells what it has counted when it is closed')
  const index = createCodeIndex(builds)
  const { hits, unknown } = recognise(part.codes, index)
  const choice = { include: options.include, exclude: options.exclude } as SourceChoice
  const covered = coverage
    ? coverSources(builds, hits, choice, (source) => currentText(source, roots))
    : { files: [], leftOut: [] }
  if (covered.files.length > 0) {
    await writeReports(outputFolder, covered.files)
    printTable(covered.files, place.width)
  } else if (coverage && builds.length > 0) print('Solidity: no source of the project is in the builds')
  const totals = totalsOf(istanbulMap(covered.files))
  const rows = gasOptions ? gasRows(part, index, choice) : []
  const growth = gasOptions ? (gasOptions.growth ?? DEFAULT_GROWTH) : 0
  const before =
    gasOptions && gasOptions.file !== false ? await readKnown(gasOptions.file ?? DEFAULT_GAS_FILE) : undefined
  const budget = gasOptions ? (gasOptions.budget ?? {}) : {}
  const report: RunReport = {
    files: covered.files,
    totals,
    leftOutSources: covered.leftOut,
    unknownCodes: unknown,
    leftOutCounts: part.leftOut,
    gas: rows,
    comparison: before?.known && compareGas(rows, before.known, growth),
    overBudget: overBudget(rows, budget),
    histories: part.histories,
  }
  const shown = path.relative('', path.join(outputFolder, 'lcov-report', 'index.html'))
  for (const line of coverageLines(report)) print(line)
  if (covered.files.length > 0) print(`  ${shown}`)
  for (const line of [...gasLines(report, growth), ...historyLines(report)]) print(line)
  for (const name of unusedBudgets(rows, budget))
    print(`  budget of ${JSON.stringify(name.slice(0, 100))}: no such function was called`)
  if (gasOptions && before) {
    const isUpdate = gasOptions.update ?? (env['BLINKNET_GAS'] === 'update' || place.isUpdate)
    const said = await keepGas(
      before,
      rows,
      isUpdate,
      env['CI'] !== undefined && env['CI'] !== '' && env['CI'] !== 'false',
    )
    if (said !== undefined) print(`  ${said}`)
  }
  failures.push(...belowThresholds(totals, covered.files, options.thresholds ?? {}))
  if (report.overBudget.length > 0) failures.push(`${report.overBudget.length} over the budget of gas`)
  const grew = report.comparison?.grew.length ?? 0
  if (gasOptions && gasOptions.failOnGrowth && grew > 0) failures.push(`${grew} cost more gas than before`)
  await writeSummary(report, env['GITHUB_STEP_SUMMARY'])
  return failures
}

interface ProjectBuilds {
  readonly builds: readonly Build[]
  /** Folders of the projects. */
  readonly roots: readonly string[]
  readonly refused: readonly string[]
}

async function readBuilds(artifacts: CoverageOptions['artifacts']): Promise<ProjectBuilds> {
  const named = artifacts === undefined ? undefined : typeof artifacts === 'string' ? [artifacts] : artifacts
  const builds: Build[] = []
  const roots: string[] = []
  const refused: string[] = []
  for (const folder of named ?? DEFAULT_ARTIFACTS) {
    try {
      const read = await readArtifacts(folder)
      builds.push(...read.builds.map(({ build }) => build))
      roots.push(path.dirname(path.resolve(folder)))
      for (const { path: file, reason } of read.refused.slice(0, 10))
        refused.push(`Solidity: ${JSON.stringify(file)}: ${reason}`)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (named || code !== 'ENOENT') refused.push(`Solidity: no builds in ${JSON.stringify(folder)}: ${message}`)
    }
  }
  if (builds.length === 0)
    refused.push(
      `Solidity: no builds in ${(named ?? DEFAULT_ARTIFACTS).join(', ')}: compile first, or say where they are (artifacts)`,
    )
  return { builds, roots, refused }
}

/** The text of a source now; `undefined` if the projects have no such file. */
function currentText(source: string, roots: readonly string[]): string | undefined {
  if (source.includes('\0')) return undefined
  for (const root of roots) {
    try {
      const [folder, file] = [realpathSync(root), realpathSync(path.resolve(root, source))]
      if (!file.startsWith(folder + path.sep)) continue
      const descriptor = openSync(file, READ_ONLY)
      try {
        const stats = fstatSync(descriptor)
        if (stats.isFile() && stats.size <= MAX_SOURCE_BYTES) return readFileSync(descriptor, 'utf8')
      } finally {
        closeSync(descriptor)
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    }
  }
  return undefined
}

interface KnownGasFile {
  readonly file: string
  /** `undefined` if there is none yet. */
  readonly known: GasFile | undefined
}

/** @throws {Error} If there is a file that is none of gas. */
async function readKnown(file: string): Promise<KnownGasFile> {
  try {
    const stats = await lstat(file)
    if (!stats.isFile() || stats.size > MAX_GAS_FILE)
      throw new Error(`it is no file, or has more than ${MAX_GAS_FILE} bytes`)
    return { file, known: readGasFile(await readFile(file, 'utf8')) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { file, known: undefined }
    throw new Error(`${file} cannot be compared with: ${(error as Error).message}`, { cause: error })
  }
}

/** @returns What was done with the file, if anything. */
async function keepGas(
  { file, known }: KnownGasFile,
  rows: readonly GasRow[],
  isUpdate: boolean,
  isCi: boolean,
): Promise<string | undefined> {
  if (rows.length === 0 || (known && !isUpdate)) return undefined
  // What nobody commits is of no use to the next run.
  if (!known && isCi && !isUpdate) return `no ${file} to compare with: run the tests once, and commit it`
  await replaceFile(file, Buffer.from(writeGasFile(rows, known)))
  return `${known ? 'updated' : 'wrote'} ${file}: commit it`
}

function belowThresholds(
  totals: CoverageTotals,
  files: readonly CoveredFile[],
  thresholds: NonNullable<CoverageOptions['thresholds']>,
): string[] {
  return Object.entries(thresholds).flatMap(([name, least]) => {
    // Without any source, all would be covered.
    const pct = files.length === 0 ? 0 : totals[name as keyof CoverageTotals].pct
    return pct < least ? [`${pct} % of ${name} are covered, fewer than ${least} %`] : []
  })
}

async function writeSummary(report: RunReport, file: string | undefined): Promise<void> {
  const text = markdownOf(report)
  if (file === undefined || file === '' || text === '') return
  await appendFile(file, Buffer.from(`${text}\n`).subarray(0, MAX_SUMMARY))
}
