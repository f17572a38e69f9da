import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GasCounts } from '#node/evm/coverage/execution-counts.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { callLedger, compileLedger, openLedger } from '#testing/coverage/ledger.ts'
import { compareGas, overBudget, readGasFile, unusedBudgets, writeGasFile } from './gas-file.ts'
import { type GasRow, gasRows } from './gas-report.ts'

const LEDGER = compileLedger()
const INDEX = createCodeIndex([LEDGER.build])
const CONTRACT = 'src/Ledger.sol:Ledger'

function row(more: Partial<GasRow>): GasRow {
  return {
    contract: CONTRACT,
    name: 'pay()',
    history: '',
    calls: 1,
    failed: 0,
    least: 100,
    median: 100,
    most: 100,
    ...more,
  }
}

test('transactions are told by the function that they call, failed ones apart', async () => {
  const rows = gasRows(await callLedger(LEDGER), INDEX)
  expect(rows.map(({ name, calls, failed }) => [name, calls, failed])).toEqual([
    ['close(address)', 1, 0],
    ['constructor', 1, 0],
    ['pay()', 1, 1],
    ['receive', 1, 0],
    ['spawn()', 1, 0],
  ])
  expect(rows.every(({ contract }) => contract === CONTRACT)).toBe(true)
})

test('the gas is that of the receipts: least, median and most', async () => {
  const ledger = await openLedger(LEDGER)
  try {
    ledger.executed.take()
    const used: number[] = []
    for (const value of [2_000n, 20n, 30n, 2_000n]) {
      const { gasUsed } = await ledger.send(ledger.encode('pay'), value)
      used.push(Number(gasUsed))
    }
    await ledger.send('0xdeadbeef')
    const [fallback, pay] = gasRows(ledger.executed.take(), INDEX)
    used.sort((a, b) => a - b)
    expect(pay).toMatchObject({ name: 'pay()', calls: 4, least: used[0], median: used[1], most: used[3] })
    expect(fallback).toMatchObject({ name: 'fallback', calls: 0, failed: 1, least: 0 })
  } finally {
    await ledger.close()
  }
})

test('a history has rows where a function costs something else in it, with names that are clean', async () => {
  const { codes, gas } = await callLedger(LEDGER)
  const [first] = gas
  const historyRows = (history: Partial<GasCounts>) =>
    gasRows({ codes, gas: [...gas, { ...(first as GasCounts), history: '<b>reorg`|', ...history }] }, INDEX)
      .filter(({ name }) => name === 'constructor')
      .map(({ history: name }) => name)
  expect(historyRows({})).toEqual([''])
  expect(historyRows({ amounts: [7, 1] })).toEqual(['', 'breorg'])
  expect(historyRows({ isFailed: true })).toEqual(['', 'breorg'])
})

test('a file that was written reads as it was, and keeps functions that a run has not called', () => {
  const text = writeGasFile([row({}), row({ history: 'reorg', median: 7 }), row({ contract: 'a.sol:A', name: 'f()' })])
  const again = writeGasFile([row({ median: 5, least: 5 })], readGasFile(text))
  const read = readGasFile(again)
  expect([...read.keys()]).toEqual(['a.sol:A', CONTRACT])
  expect(read.get(CONTRACT)?.get('pay()')).toEqual({ calls: 1, least: 5, median: 5, most: 100 })
  expect(read.get(CONTRACT)?.get('pay() [reorg]')).toMatchObject({ median: 7 })
  expect(writeGasFile([], read)).toBe(again)
})

test('any rows are written so that they read the same', () => {
  const count = fc.nat(1e9)
  const rows = fc.array(
    fc.record({
      contract: fc.string(),
      name: fc.string(),
      history: fc.constant(''),
      calls: fc.integer({ min: 1, max: 1e6 }),
      failed: count,
      least: count,
      median: count,
      most: count,
    }),
  )
  fc.assert(
    fc.property(rows, (all) => {
      const unique = [...new Map(all.map((each) => [JSON.stringify([each.contract, each.name]), each])).values()]
      const read = readGasFile(writeGasFile(unique))
      for (const { contract, name, calls, least, median, most } of unique) {
        expect(read.get(contract)?.get(name)).toEqual({ calls, least, median, most })
      }
    }),
  )
})

test.each([
  '',
  '[]',
  '{}',
  '{"version":2,"contracts":{}}',
  '{"version":1,"contracts":{"a":{"f":{"calls":"1"}}}}',
  '{"version":1,"contracts":{"a":{"f":5}}}',
])('a file with %s is refused', (text) => {
  expect(() => readGasFile(text)).toThrow(/^it is no|has no numbers$/)
})

test('growth and shrinkage count from the share on, new functions are counted', () => {
  const before = readGasFile(writeGasFile([row({ median: 1_000 })]))
  const compare = (median: number) => compareGas([row({ median }), row({ name: 'new()' })], before, 0.01)
  expect(compare(1_010)).toEqual({ grew: [], shrank: [], added: 1 })
  expect(compare(1_011).grew).toEqual([{ contract: CONTRACT, function: 'pay()', before: 1_000, now: 1_011 }])
  expect(compare(989).shrank).toHaveLength(1)
  expect(compareGas([row({ calls: 0, median: 0, failed: 3 })], before, 0)).toEqual({ grew: [], shrank: [], added: 0 })
})

test('a budget is for one signature, all functions of a name, or a contract', () => {
  const rows = [row({ most: 500 }), row({ name: 'sum(uint256)', most: 900 })]
  const over = (budget: Record<string, number>) => overBudget(rows, budget).map(({ function: name }) => name)
  expect(over({ 'Ledger.pay()': 499 })).toEqual(['pay()'])
  expect(over({ 'Ledger.pay()': 500 })).toEqual([])
  expect(over({ 'Ledger.sum': 100 })).toEqual(['sum(uint256)'])
  expect(over({ Ledger: 100, 'Ledger.sum': 1_000 })).toEqual(['pay()'])
  expect(over({})).toEqual([])
  expect(unusedBudgets(rows, { 'Ledger.pay': 1, 'Ledger.gone': 1, toString: 1 })).toEqual(['Ledger.gone', 'toString'])
})
