import { harmlessLine } from '#primitives/harmless-line.ts'
import type { CoveredFile } from './coverage-map.ts'
import type { GasChange, GasComparison, OverBudget } from './gas-file.ts'
import { functionKey } from './gas-file.ts'
import type { GasRow } from './gas-report.ts'
import type { TriedHistories } from './histories.ts'
import type { CoverageTotal, CoverageTotals } from './write-reports.ts'

/** All that a reporter tells of a run. */
export interface RunReport {
  readonly files: readonly CoveredFile[]
  readonly totals: CoverageTotals
  readonly leftOutSources: readonly { readonly source: string; readonly reason: string }[]
  /** Executed codes that no build has. */
  readonly unknownCodes: number
  /** Executions and amounts that there was no room for. */
  readonly leftOutCounts: number
  readonly gas: readonly GasRow[]
  /** `undefined` where there is no file to compare with. */
  readonly comparison: GasComparison | undefined
  readonly overBudget: readonly OverBudget[]
  readonly histories: readonly TriedHistories[]
}

/** Most places, functions or tests that one line of text names, and most rows of a table. */
const MOST_NAMED = 10
const MOST_ROWS = 200
/** Longest text of others, in characters. */
const LONGEST = 300
const NUMBER = new Intl.NumberFormat('en')

/** What a terminal shows of coverage, below the table of files. */
export function coverageLines({ files, totals, leftOutSources, unknownCodes, leftOutCounts }: RunReport): string[] {
  if (files.length === 0) return []
  const { lines, functions, branches } = totals
  const text = [`Solidity: lines ${share(lines)}, functions ${share(functions)}, branches ${share(branches)}`]
  const undone = placesOf(files, ({ undoneLines }) => undoneLines)
  if (undone.length > 0) text.push(`  only where it failed or was undone: ${named(undone)}`)
  const open = placesOf(files, ({ openLines }) => openLines)
  const decisions = files.reduce((sum, { openBranches }) => sum + openBranches, 0)
  if (open.length > 0) text.push(`  open, as the compiled code does not tell: ${named(open)}`)
  if (decisions > 0)
    text.push(`  open: which way ${count(decisions, 'decision')} went, as the compiled code does not tell`)
  if (leftOutSources.length > 0) {
    text.push(`  left out: ${named(leftOutSources.map(({ source, reason }) => `${shownPath(source)} (${reason})`))}`)
  }
  if (unknownCodes > 0) text.push(`  ${count(unknownCodes, 'executed code')} of no known build`)
  if (leftOutCounts > 0) text.push(`  ${count(leftOutCounts, 'execution')} not counted: too much is counted already`)
  return text
}

/** What a terminal shows of gas. @param growth - The share from which on more counts. */
export function gasLines({ gas, comparison, overBudget }: RunReport, growth: number): string[] {
  if (gas.length === 0) return []
  const calls = gas.reduce((sum, row) => sum + row.calls, 0)
  const text = [`Gas: ${count(calls, 'transaction')} to ${count(gas.length, 'function')}`]
  for (const change of comparison?.grew.slice(0, MOST_NAMED) ?? []) text.push(`  more: ${changeText(change)}`)
  const [grew, shrank] = [comparison?.grew.length ?? 0, comparison?.shrank.length ?? 0]
  if (grew > MOST_NAMED) text.push(`  … and ${count(grew - MOST_NAMED, 'other')}`)
  if (comparison && grew === 0) text.push(`  none costs ${percent(growth)} more than before`)
  if (shrank > 0) text.push(`  less: ${named((comparison?.shrank ?? []).map(changeText))}`)
  for (const { contract, function: name, most, budget } of overBudget.slice(0, MOST_NAMED)) {
    text.push(`  over budget: ${contract} ${name} cost ${gasText(most)}, more than ${gasText(budget)}`)
  }
  return text
}

/** What a terminal shows of histories. */
export function historyLines({ histories }: RunReport): string[] {
  if (histories.length === 0) return []
  const tried = histories.reduce((sum, each) => sum + each.tried, 0)
  const text = [`Histories: ${NUMBER.format(tried)} tried in ${count(histories.length, 'test')}`]
  for (const { test, failed } of histories) {
    if (failed.length > 0)
      text.push(
        `  ${harmlessLine(test, LONGEST)} fails with ${named(failed.map((each) => harmlessLine(each, LONGEST)))}`,
      )
  }
  return text.slice(0, MOST_ROWS)
}

/** The whole run in Markdown, as GitHub shows it below a job. */
export function markdownOf(report: RunReport): string {
  const { files, totals, gas, comparison, overBudget, histories } = report
  const parts: string[] = []
  if (files.length > 0) {
    const rows = files.slice(0, MOST_ROWS).map(({ data, undoneLines }) => {
      const { f, b } = data
      const branches = Object.values(b).flat()
      const cells = [linesOf(data), totalIn(Object.values(f)), totalIn(branches)].map(share)
      return `| \`${data.path}\` | ${cells.join(' | ')} | ${undoneLines.length} |`
    })
    const all = [totals.lines, totals.functions, totals.branches].map(share)
    parts.push(
      '### Solidity coverage',
      '',
      '| source | lines | functions | branches | lines only where it failed |',
      '|---|---|---|---|---|',
      ...rows,
      `| **all** | ${all.join(' | ')} | |`,
      '',
    )
  }
  if (gas.length > 0) {
    const grew = (comparison?.grew ?? []).map((change) => `- more: ${code(changeText(change))}`)
    const over = overBudget.map(
      ({ contract, function: name, most, budget }) =>
        `- over budget: ${code(`${contract} ${name}`)}: ${gasText(most)} of ${gasText(budget)}`,
    )
    const rows = gas.slice(0, MOST_ROWS).map((row) => {
      const numbers = [row.calls, row.failed, row.least, row.median, row.most].map((each) => NUMBER.format(each))
      return `| ${code(`${row.contract} ${functionKey(row)}`)} | ${numbers.join(' | ')} |`
    })
    parts.push(
      '### Gas',
      '',
      ...[...grew, ...over].slice(0, MOST_ROWS),
      '',
      '| function | transactions | failed | least | median | most |',
      '|---|--:|--:|--:|--:|--:|',
      ...rows,
      '',
    )
  }
  if (histories.length > 0)
    parts.push('### Histories', '', ...historyLines(report).map((line) => `- ${code(line.trim())}`), '')
  return parts.join('\n')
}

function linesOf({ statementMap, s }: CoveredFile['data']): CoverageTotal {
  const hits = new Map<number, number>()
  for (const [id, { start }] of Object.entries(statementMap)) {
    hits.set(start.line, Math.max(hits.get(start.line) ?? 0, s[id] ?? 0))
  }
  return totalIn([...hits.values()])
}

function totalIn(hits: readonly number[]): CoverageTotal {
  const covered = hits.filter((each) => each > 0).length
  return {
    covered,
    total: hits.length,
    pct: hits.length === 0 ? 100 : Math.floor((10_000 * covered) / hits.length) / 100,
  }
}

function placesOf(files: readonly CoveredFile[], lines: (file: CoveredFile) => readonly number[]): string[] {
  return files.flatMap((file) => lines(file).map((line) => `${file.data.path}:${line}`))
}

/** A few of them, and how many there are besides. */
function named(all: readonly string[]): string {
  const shown = all.slice(0, MOST_NAMED).join(', ')
  return all.length > MOST_NAMED ? `${shown} and ${NUMBER.format(all.length - MOST_NAMED)} more` : shown
}

function changeText({ contract, function: name, before, now }: GasChange): string {
  const by = before === 0 ? '' : ` (${now > before ? '+' : ''}${percent((now - before) / before)})`
  return `${contract} ${name} ${gasText(before)} → ${gasText(now)}${by}`
}

function share({ covered, total, pct }: CoverageTotal): string {
  return total === 0 ? '–' : `${pct} % (${covered}/${total})`
}

function percent(of: number): string {
  return `${Math.round(of * 10_000) / 100} %`
}

function gasText(gas: number): string {
  return NUMBER.format(gas)
}

function count(number: number, what: string): string {
  return `${NUMBER.format(number)} ${what}${number === 1 ? '' : 's'}`
}

function shownPath(path: string): string {
  return harmlessLine(path, LONGEST).slice(-200)
}

function code(text: string): string {
  return `\`${harmlessLine(text, LONGEST).replaceAll(/[`|<>]/g, ' ')}\``
}
