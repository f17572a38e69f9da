import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FullConfig } from '@playwright/test/reporter'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PARTS_VARIABLE } from '#coverage/parts.ts'
import { processCounts } from '#coverage/process-counts.ts'
import type { CoverageOptions } from '#coverage/report-run.ts'
import { compileLedger, openLedger } from '#testing/coverage/ledger.ts'
import PlaywrightReporter from './playwright-reporter.ts'
import VitestReporter from './vitest-reporter.ts'

const LEDGER = compileLedger()
const CONFIG = { updateSnapshots: 'missing' } as FullConfig

let folder = ''
let printed: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-reporters-'))
  printed = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text).trimEnd()) > 0)
})
afterEach(async () => {
  vi.restoreAllMocks()
  delete process.env[PARTS_VARIABLE]
  await rm(folder, { recursive: true, force: true })
})

const options = (more: CoverageOptions = {}): CoverageOptions => ({
  artifacts: path.join(folder, 'out'),
  outputFolder: path.join(folder, 'coverage'),
  gas: { file: path.join(folder, 'gas.json') },
  ...more,
})

/** A test of a project that has a reporter. */
async function runTest(): Promise<void> {
  const ledger = await openLedger(LEDGER, { executed: undefined as never })
  await ledger.send(ledger.encode('pay'), 20n)
  await ledger.close()
  processCounts()?.addHistories({ test: 'pays', tried: 2, failed: [] })
  processCounts()?.write()
}

test('with Playwright, what the tests executed is reported when all have ended', async () => {
  await mkdir(path.join(folder, 'out'))
  await writeFile(path.join(folder, 'out', 'a.json'), JSON.stringify({ id: 'a', ...LEDGER.json }))
  const reporter = new PlaywrightReporter(options({ include: ['src'] }))
  expect(reporter.printsToStdio()).toBe(false)
  reporter.onBegin(CONFIG)
  await runTest()
  expect(await reporter.onEnd()).toBeUndefined()
  expect(printed).toContainEqual(expect.stringMatching(/^Solidity: lines [1-9]/))
  expect(printed).toContainEqual('Gas: 2 transactions to 2 functions')
  expect(printed).toContainEqual(expect.stringContaining('Histories: 2 tried in 1 test'))
  expect(process.env[PARTS_VARIABLE]).toBeUndefined()
})

test('with Playwright, a run that does not meet what is asked of it fails', async () => {
  const reporter = new PlaywrightReporter(options({ thresholds: { lines: 1 } }))
  reporter.onBegin(CONFIG)
  expect(await reporter.onEnd()).toEqual({ status: 'failed' })
  expect(printed).toContainEqual(expect.stringContaining('failed: 0 % of lines'))
})

test('a report that cannot be written fails the run, with the reason', async () => {
  const reporter = new PlaywrightReporter(options())
  reporter.onBegin(CONFIG)
  const parts = process.env[PARTS_VARIABLE] ?? ''
  await rm(parts, { recursive: true })
  expect(await reporter.onEnd()).toEqual({ status: 'failed' })
  expect(printed).toContainEqual(expect.stringContaining('coverage and gas are not reported'))
})

test('with Vitest, each run is reported once, also in watch mode', async () => {
  const reporter = new VitestReporter(options())
  reporter.onInit({})
  const first = process.env[PARTS_VARIABLE]
  await runTest()
  await reporter.onTestRunEnd()
  await reporter.onFinished()
  expect(printed.filter((line) => line.startsWith('Histories'))).toHaveLength(1)
  reporter.onWatcherRerun()
  expect(process.env[PARTS_VARIABLE]).not.toBe(first)
  await runTest()
  await reporter.onTestRunEnd()
  expect(printed.filter((line) => line.startsWith('Histories'))).toHaveLength(2)
  expect(existsSync(first ?? '')).toBe(false)
})

test('with Vitest, a run that does not meet what is asked of it fails', async () => {
  const before = process.exitCode
  try {
    const reporter = new VitestReporter(options({ thresholds: { lines: 1 } }))
    reporter.onInit({ config: { snapshotOptions: { updateSnapshot: 'none' } } })
    await reporter.onTestRunEnd()
    expect(process.exitCode).toBe(1)
  } finally {
    process.exitCode = before
  }
})

test('an option that makes no sense is refused before the tests begin', () => {
  expect(() => new PlaywrightReporter({ include: 'src' as never }).onBegin(CONFIG)).toThrow('include')
})
