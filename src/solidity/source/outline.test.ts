import { expect, test } from 'vitest'
import { contractText } from '#testing/solidity/scenarios.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { declarationNode } from './ast-nodes.ts'
import { outlineOfAst } from './ast-outline.ts'
import { innermost } from './outline.ts'
import { outlineOfText } from './text-outline.ts'

const TEXT = contractText('failures.sol')
const AST_ONLY = { '*': { '': ['ast'] } }
const { output } = compileStandard({ 'failures.sol': TEXT }, {}, AST_ONLY)
const fromAst = outlineOfAst(output.sources['failures.sol']?.ast)

test('the text alone gives the same contracts and functions, at the same bytes, as the AST', () => {
  const fromText = outlineOfText(TEXT)
  const essence = ({ contracts, callables }: typeof fromText) => ({
    contracts: contracts.map(({ name, kind, end }) => ({ name, kind, end })).toSorted((a, b) => a.end - b.end),
    callables: callables
      .map(({ name, kind, contract, start, end, body }) => ({ name, kind, contract: contract?.name, start, end, body }))
      .toSorted((a, b) => a.start - b.start),
  })
  expect(essence(fromText).callables.length).toBeGreaterThan(70)
  // By keywords alone, a variable of a function type looks like a function.
  const callables = essence(fromText).callables.filter(({ body, contract }) => body || contract === 'Missing')
  expect(callables).toEqual(essence(fromAst).callables)
  expect(essence(fromText).contracts).toEqual(essence(fromAst).contracts)
})

test('comments and strings, with braces in them, are skipped', () => {
  const text = `contract A { // function no() {
    string s = "contract } function"; /* function neither() { */
    function yes() public { if (true) { s = unicode'}ü'; } }
    modifier m(function (uint) external f) { _; }
    receive() external payable {}
  }
  function free() pure {}`
  const { callables } = outlineOfText(text)
  expect(callables.map(({ kind, name, contract }) => [kind, name, contract?.name])).toEqual([
    ['function', 'yes', 'A'],
    ['modifier', 'm', 'A'],
    ['receive', '', 'A'],
    ['function', 'free', undefined],
  ])
  const yes = callables[0]
  expect(Buffer.from(text).subarray(yes?.start, yes?.end).toString()).toMatch(/^function yes.*\} \}$/)
})

test('a malformed AST is read as far as possible', () => {
  for (const ast of [
    undefined,
    null,
    5,
    [],
    {},
    { nodeType: 'ContractDefinition' },
    { nodeType: 'FunctionDefinition', src: 'x' },
  ]) {
    expect(outlineOfAst(ast).callables).toEqual([])
  }
  let deep: unknown = { nodeType: 'FunctionDefinition', name: 'f', src: '1:2:0' }
  for (let i = 0; i < 100_000; i++) deep = { nodes: [deep] }
  expect(outlineOfAst(deep).callables).toMatchObject([{ name: 'f', start: 1, end: 3 }])
})

test('sources of one very long string, comment or function head are read to their end', () => {
  const many = 100_000
  const heads = `function f() ${'a '.repeat(many)}{ }`
  expect(outlineOfText(heads).callables[0]?.invocations).toHaveLength(many)
  for (const [start, unit, end] of [
    ['"', 'x', '"'],
    ['"', '\\"', '"'],
    ['/*', '*', '*/'],
    ['// ', '/', '\n'],
  ] as const) {
    const text = `${start}${unit.repeat(10 * many)}${end} function f() {}`
    expect(outlineOfText(text).callables.map(({ name }) => name)).toEqual(['f'])
  }
})

test('a list of functions may be of any length', () => {
  const nodes = Array.from({ length: 150_000 }, (_, id) => ({ nodeType: 'FunctionDefinition', id, src: `${id}:1:0` }))
  const sources = [{ id: 0, path: 'a.sol', content: '', ast: { nodes } }]
  const settings = { optimizer: false, runs: 200, viaIR: false, evmVersion: undefined, given: undefined }
  const build = { id: '', compiler: '', language: 'Solidity', settings, sources, contracts: [] }
  expect(declarationNode(build, 149_999)?.['src']).toBe('149999:1:0')
})

test('the innermost range is the one that a search through all of them finds', () => {
  const { statements } = fromAst
  const slow = (start: number, end: number) =>
    statements
      .filter((range) => range.start <= start && range.end >= end)
      .toSorted((a, b) => a.end - a.start - (b.end - b.start))
      .at(0)
  for (const { start, end } of statements) {
    for (const [from, to] of [
      [start, end],
      [start, start + 1],
      [end - 1, end],
      [start - 1, end],
      [start, end + 1],
    ] as const) {
      const found = innermost(statements, from, to)
      const expected = slow(from, to)
      expect([found?.start, found?.end]).toEqual([expected?.start, expected?.end])
    }
  }
  // One lookup per instruction of each function.
  const many = Array.from({ length: 50_000 }, (_, i) => ({ start: 2 * i, end: 2 * i + 1 }))
  for (const range of many) if (innermost(many, range.start, range.end) !== range) expect.fail(`${range.start}`)
})
