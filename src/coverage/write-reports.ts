import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import coverage from 'istanbul-lib-coverage'
import libReport, { type ReportBase } from 'istanbul-lib-report'
import Html from 'istanbul-reports/lib/html/index.js'
import Json from 'istanbul-reports/lib/json/index.js'
import Lcov from 'istanbul-reports/lib/lcovonly/index.js'
import Text from 'istanbul-reports/lib/text/index.js'
import type { CoveredFile } from './coverage-map.ts'

/** Covered of all, by kind. */
export interface CoverageTotals {
  readonly lines: CoverageTotal
  readonly functions: CoverageTotal
  readonly branches: CoverageTotal
}

export interface CoverageTotal {
  readonly covered: number
  readonly total: number
  /** Percent; 100 of nothing. */
  readonly pct: number
}

/** Coverage as Istanbul has it. */
export function istanbulMap(files: readonly CoveredFile[]): coverage.CoverageMap {
  return coverage.createCoverageMap(Object.fromEntries(files.map(({ data }) => [data.path, data])))
}

export function totalsOf(map: coverage.CoverageMap): CoverageTotals {
  const { lines, functions, branches } = map.getCoverageSummary()
  return { lines: totalOf(lines), functions: totalOf(functions), branches: totalOf(branches) }
}

function totalOf({ covered, total }: coverage.Totals): CoverageTotal {
  return { covered, total, pct: total === 0 ? 100 : Math.floor((10_000 * covered) / total) / 100 }
}

/** The folder of the pages, as Istanbul's reporter for lcov names it. */
const PAGES = 'lcov-report'

/**
 * Writes `lcov.info`, `coverage-final.json` and the pages, in place of those of an earlier run. Nothing else in the folder is
 * touched, and no link in it is followed.
 *
 * @throws {Error} If the folder is the working directory, or around it.
 */
export async function writeReports(folder: string, files: readonly CoveredFile[]): Promise<void> {
  const root = path.resolve(folder)
  if (`${process.cwd()}${path.sep}`.startsWith(root.endsWith(path.sep) ? root : `${root}${path.sep}`)) {
    throw new Error(`the reports go into a folder of their own, not into ${root}`)
  }
  await mkdir(root, { recursive: true })
  const made = await mkdtemp(path.join(root, '.new-'))
  try {
    const contents = new Map(files.map(({ data, content }) => [data.path, content]))
    const map = istanbulMap(files)
    const context = (dir: string) =>
      libReport.createContext({
        dir,
        coverageMap: map,
        defaultSummarizer: 'nested',
        sourceFinder: (name) => contents.get(name) ?? '',
      })
    const own = context(made)
    new Lcov({ file: 'lcov.info' }).execute(own)
    new Json({ file: 'coverage-final.json' }).execute(own)
    new Html({}).execute(context(path.join(made, PAGES)))
    for (const name of await readdir(made)) {
      await rm(path.join(root, name), { recursive: true, force: true })
      await rename(path.join(made, name), path.join(root, name))
    }
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

/** Prints the table of all files, as Istanbul does. */
export function printTable(files: readonly CoveredFile[], width: number | undefined): void {
  const context = libReport.createContext({ dir: '.', coverageMap: istanbulMap(files), defaultSummarizer: 'nested' })
  const report: ReportBase = new Text({ maxCols: width ?? 0 })
  report.execute(context)
}
