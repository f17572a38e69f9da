import { expect, test } from 'vitest'
import { createProcessLog } from './process-log.ts'

function output() {
  const lines: string[] = []
  return { lines, write: (text: string) => lines.push(text) > 0 }
}

test('only errors go to the standard error output, with their details', () => {
  const [stdout, stderr] = [output(), output()]
  const log = createProcessLog('info', { stdout, stderr })
  log('info', 'contracts known: 3')
  log('warn', 'a crash cut short the last write', new Error('half'))
  log('error', 'not stored', new Error('disk full'))
  log('error', 'not stored', 'in words')
  expect(stdout.lines).toEqual([
    'info: contracts known: 3\n',
    expect.stringMatching(/^warn: a crash cut short the last write\nError: half\n {4}at /),
  ])
  expect(stderr.lines).toEqual([
    expect.stringMatching(/^error: not stored\nError: disk full\n {4}at /),
    'error: not stored\nin words\n',
  ])
})

test('lines of a later level are left out', () => {
  const [stdout, stderr] = [output(), output()]
  const log = createProcessLog('error', { stdout, stderr })
  for (const level of ['info', 'warn', 'error'] as const) log(level, level)
  expect([stdout.lines, stderr.lines]).toEqual([[], ['error: error\n']])
})
