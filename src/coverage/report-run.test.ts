import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { harmlessLine } from '#primitives/harmless-line.ts'
import { callLedger, compileLedger, SOURCES } from '#testing/coverage/ledger.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import type { Part } from './parts.ts'
import { type CoverageOptions, checkCoverageOptions, type RunPlace, reportRun } from './report-run.ts'

const LEDGER = compileLedger()
const EMPTY: Part = { codes: [], gas: [], leftOut: 0, histories: [] }

let folder = ''
let printed: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-report-'))
  printed = []
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

const inFolder = (...names: string[]) => path.join(folder, ...names)

/** A project of Hardhat's form: sources, and one build-info. */
async function project(sources: Readonly<Record<string, string>> = SOURCES): Promise<void> {
  const compiled = compileStandard(sources)
  await mkdir(inFolder('artifacts/build-info'), { recursive: true })
  await writeFile(inFolder('artifacts/build-info/a.json'), JSON.stringify({ id: 'a', ...compiled }))
  for (const [name, text] of Object.entries(sources)) {
    const file = inFolder(name)
    if (!file.startsWith(folder)) continue
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

async function report(
  part: Part,
  options: CoverageOptions = {},
  place: Partial<RunPlace> = {},
): Promise<readonly string[]> {
  // Istanbul prints its table by itself.
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  try {
    return await reportRun(
      part,
      {
        artifacts: inFolder('artifacts'),
        outputFolder: inFolder('coverage'),
        gas: { file: inFolder('gas.json') },
        ...options,
      },
      { print: (line) => printed.push(line), isUpdate: false, env: {}, ...place },
    )
  } finally {
    stdout.mockRestore()
  }
}

async function ledgerPart(): Promise<Part> {
  return { ...(await callLedger(LEDGER)), histories: [] }
}

test('a run writes lcov, JSON and pages, prints a table and a summary, and keeps the gas', async () => {
  await project()
  expect(await report(await ledgerPart())).toEqual([])
  expect((await readdir(inFolder('coverage'))).toSorted()).toEqual(['coverage-final.json', 'lcov-report', 'lcov.info'])
  const lcov = await readFile(inFolder('coverage/lcov.info'), 'utf8')
  expect(lcov).toContain('SF:src/Ledger.sol')
  expect(lcov).toContain('FNDA:3,Ledger.pay')
  expect(lcov).toMatch(/^DA:65,3$/m)
  const page = await readFile(inFolder('coverage/lcov-report/Ledger.sol.html'), 'utf8')
  expect(page).toContain('members.push(msg.sender)')
  expect(existsSync(inFolder('coverage/lcov-report/base.css'))).toBe(true)
  const text = printed.join('\n')
  expect(text).toContain('Ledger.sol')
  expect(text).toMatch(/Solidity: lines [\d.]+ % \(\d+\/\d+\), functions/)
  expect(text).toContain('wrote')
  expect(JSON.parse(await readFile(inFolder('gas.json'), 'utf8'))).toMatchObject({
    version: 1,
    contracts: { 'src/Ledger.sol:Ledger': { 'pay()': { calls: 1 } } },
  })
})

test('a second run replaces the reports of the first, and leaves other files alone', async () => {
  await project()
  await report(await ledgerPart())
  await writeFile(inFolder('coverage/mine.txt'), 'mine')
  await writeFile(inFolder('coverage/lcov-report/stale.html'), 'stale')
  await report(EMPTY)
  expect(await readFile(inFolder('coverage/mine.txt'), 'utf8')).toBe('mine')
  expect(existsSync(inFolder('coverage/lcov-report/stale.html'))).toBe(false)
  expect(await readFile(inFolder('coverage/lcov.info'), 'utf8')).toContain('FNDA:0,Ledger.pay')
})

test('gas that grew is a line, and fails the run where that is asked for', async () => {
  await project()
  const part = await ledgerPart()
  await report(part)
  const file = inFolder('gas.json')
  const lower = (await readFile(file, 'utf8')).replace(/("pay\(\)".*"median": )\d+/, '$11000')
  await writeFile(file, lower)
  printed = []
  expect(await report(part)).toEqual([])
  expect(printed.join('\n')).toMatch(/more: src\/Ledger\.sol:Ledger pay\(\) 1,000 → [\d,]+ \(\+/)
  expect(await readFile(file, 'utf8')).toBe(lower)
  expect(await report(part, { gas: { file, failOnGrowth: true } })).toEqual(['1 cost more gas than before'])
  expect(await report(part, { gas: { file, growth: 1_000 } })).toEqual([])
  await report(part, {}, { env: { BLINKNET_GAS: 'update' } })
  expect(await readFile(file, 'utf8')).not.toBe(lower)
})

test('a run on CI makes no file that nobody would commit', async () => {
  await project()
  await report(await ledgerPart(), {}, { env: { CI: 'true' } })
  expect(existsSync(inFolder('gas.json'))).toBe(false)
  expect(printed.join('\n')).toContain('to compare with')
})

test('budgets and thresholds fail the run', async () => {
  await project()
  const part = await ledgerPart()
  const failures = await report(part, {
    thresholds: { lines: 99, functions: 1 },
    gas: { file: false, budget: { 'Ledger.pay': 1_000, 'Ledger.gone': 5 } },
  })
  expect(failures).toEqual([expect.stringMatching(/of lines are covered, fewer than 99 %/), '1 over the budget of gas'])
  expect(printed.join('\n')).toContain('budget of "Ledger.gone": no such function was called')
  expect(existsSync(inFolder('gas.json'))).toBe(false)
})

test('GitHub gets the run in Markdown, with the histories that were tried', async () => {
  await project()
  const summary = inFolder('summary.md')
  await writeFile(summary, 'before\n')
  const histories = [{ test: 'pays | `x` <b>', tried: 12, failed: ['a reorg'] }]
  await report({ ...(await ledgerPart()), histories }, {}, { env: { GITHUB_STEP_SUMMARY: summary } })
  const text = await readFile(summary, 'utf8')
  expect(text.startsWith('before\n### Solidity coverage\n')).toBe(true)
  expect(text).toContain('| `src/Ledger.sol` |')
  expect(text).toContain('| `src/Ledger.sol:Ledger pay()` | 1 | 1 |')
  expect(text).toContain('12 tried in 1 test')
  expect(text).not.toContain('<b>')
})

test('nothing is written outside of the folder, whatever sources are named and wherever links lead', async () => {
  const evil = 'contract A { function f() external {} }'
  const names = [
    '../../evil.sol',
    '/tmp/blinknet-evil.sol',
    'src/<img src=x onerror=alert(1)>.sol',
    'src/a"b.sol',
    'index',
    'src/../../x.sol',
  ]
  await project(
    Object.fromEntries(names.map((name, i) => [name, `${evil} contract B${i} { function g() external { } }`])),
  )
  const victim = inFolder('victim')
  await mkdir(victim)
  await mkdir(inFolder('coverage'))
  await symlink(victim, inFolder('coverage/lcov-report'))
  await report(EMPTY, { include: ['**'] })
  expect(await readdir(victim)).toEqual([])
  expect((await lstat(inFolder('coverage/lcov-report'))).isSymbolicLink()).toBe(false)
  const written = await readdir(inFolder('coverage'), { recursive: true })
  expect(written.filter((name) => name.includes('evil')).length).toBeGreaterThan(0)
  for (const name of written) expect(name).toMatch(/^[\w.@ +/-]+$/)
  expect((await readdir(folder)).toSorted()).toEqual(expect.arrayContaining(['artifacts', 'coverage', 'victim']))
  expect(existsSync(path.join(folder, '../evil.sol.html'))).toBe(false)
  for (const name of written.filter((each) => each.endsWith('.html'))) {
    const html = await readFile(inFolder('coverage', name), 'utf8')
    expect(html).not.toContain('<img src=x')
  }
})

test('text of a source and names in it are no HTML in the pages', async () => {
  const source = 'contract A { string s; function f() external { s = "</pre><script>alert(1)</script>"; } }'
  await project({ 'src/A.sol': source })
  await report(EMPTY)
  const page = await readFile(inFolder('coverage/lcov-report/A.sol.html'), 'utf8')
  expect(page).not.toContain('<script>alert')
  expect(page).toContain('&lt;script&gt;alert')
})

test('what others have named commands no terminal', async () => {
  await project()
  await writeFile(
    inFolder('artifacts/bad.json'),
    '{ "id": "\u001b[2J", "output": { "contracts": { "a\u001b]0;x\u0007": 5 } } }',
  )
  const histories = [{ test: '\u001b[31mred\n', tried: 1, failed: ['\u202e'] }]
  await report({ ...(await ledgerPart()), histories })
  const own = printed.filter((line) => !line.includes('%'))
  expect(own.length).toBeGreaterThan(2)
  for (const line of own) expect(line.trimEnd()).toBe(harmlessLine(line.trimEnd()))
})

test('the reports never go into the project itself', async () => {
  await project()
  await expect(report(EMPTY, { outputFolder: '.' })).rejects.toThrow('a folder of their own')
  await expect(report(EMPTY, { outputFolder: '/' })).rejects.toThrow('a folder of their own')
})

test('a gas file that is none is no reason to overwrite it', async () => {
  await project()
  await writeFile(inFolder('gas.json'), 'not gas')
  await expect(report(await ledgerPart())).rejects.toThrow('gas.json cannot be compared with')
  expect(await readFile(inFolder('gas.json'), 'utf8')).toBe('not gas')
})

test('without builds it says what to do', async () => {
  expect(await report(await ledgerPart())).toEqual([])
  expect(printed.join('\n')).toMatch(/no builds in .*: compile first/)
})

test.each<[CoverageOptions, string]>([
  [{ artifacts: 5 as never }, 'artifacts'],
  [{ outputFolder: '' }, 'outputFolder'],
  [{ include: 'src' as never }, 'include'],
  [{ thresholds: { lines: 101 } }, 'thresholds.lines'],
  [{ thresholds: { statements: 1 } as never }, 'statements'],
  [{ gas: { growth: -1 } }, 'growth'],
  [{ gas: { budget: { 'A.f': 1.5 } } }, 'A.f'],
])('an option that makes no sense is refused by name', (options, name) => {
  expect(() => checkCoverageOptions(options)).toThrow(name)
})
