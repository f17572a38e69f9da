import { expect, test } from 'vitest'
import type { Build } from '#solidity/build/build.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { branchHits, functionHits, lineHits } from '#testing/coverage/covered.ts'
import { callLedger, compileLedger, openLedger, SOURCES } from '#testing/coverage/ledger.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { recognise } from './code-hits.ts'
import { type CoveredFile, coverSources } from './coverage-map.ts'

const LEDGER = compileLedger()
const NOTHING: readonly never[] = []

function fileAt(files: readonly CoveredFile[], path: string): CoveredFile {
  return files.find(({ source }) => source === path) ?? expect.fail(`no ${path}`)
}

async function coverLedger(): Promise<readonly CoveredFile[]> {
  const { codes } = await callLedger(LEDGER)
  const { hits, unknown } = recognise(codes, createCodeIndex([LEDGER.build]))
  expect(unknown).toBe(0)
  return coverSources([LEDGER.build], hits).files
}

/** Lines of a source by a part of their text. */
function lineOf(text: string, part: string): number {
  const found = text.split('\n').findIndex((line) => line.includes(part))
  return found < 0 ? expect.fail(`no line has ${part}`) : found + 1
}

test('lines, functions and decisions of plain code are counted in transactions and calls', async () => {
  const files = await coverLedger()
  const ledger = fileAt(files, 'src/Ledger.sol')
  const lines = lineHits(ledger)
  const at = (part: string) => lines.get(lineOf(ledger.content, part))
  expect(at('total += first')).toBe(1)
  expect(at('total = first')).toBe(0)
  expect(at('require(msg.value > 0')).toBe(3)
  expect(at('members.push')).toBe(1)
  expect(at('require(uses < most')).toBe(4)
  expect(at('uses++')).toBe(1)
  expect(at('revert("no such function")')).toBe(0)
  expect(at('result = 100')).toBe(0)
  expect(at('c := 10')).toBe(0)
  expect(at('c := xor')).toBe(3)
  expect(at('error NotOwner')).toBeUndefined()
  expect(functionHits(ledger)).toEqual({
    'Owned.onlyOwner': 1,
    'Owned.counted': 4,
    'Owned.constructor': 1,
    'Ledger.constructor': 1,
    'Ledger.receive': 1,
    'Ledger.fallback': 0,
    'Ledger.pay': 3,
    'Ledger.sum': 2,
    'Ledger.grade': 3,
    'Ledger.close': 1,
    'Ledger.tryGrade': 1,
    'Ledger.mix': 1,
    'Ledger.rename': 0,
    'Ledger._never': 0,
    'Ledger.spawn': 1,
  })
  const decisions = branchHits(ledger)
  const decided = (part: string, what: string) => `${lineOf(ledger.content, part)} ${what}`
  expect(decisions).toContain(decided('if (first > 100)', 'if: 0, 1'))
  expect(decisions).toContain(decided('require(msg.value > 0', 'require: 2, 1'))
  expect(decisions).toContain(decided('msg.value > 1000 ? true', 'ternary: 1, 1'))
  // The compiler turns the jump of an `if` around that has only one to make, even where it does not optimise.
  expect(decisions).toContain(decided('if (i == limit) break', 'if: 0, 2'))
  expect(decisions).toContain(decided('if (!entries[members[i]].open)', 'if: 0, 2'))
  expect(at('continue;')).toBe(0)
  expect(decisions).toContain(decided('while (n > 3)', 'loop: 3, 2'))
  expect(decisions).toContain(decided('for { let i := 0 }', 'loop: 3, 1'))
  expect(decisions).toContain(decided('assert(total', 'require: 1, 0'))
  expect(ledger).toMatchObject({ openLines: [], openBranches: 0 })
  expect(functionHits(fileAt(files, 'src/Amounts.sol'))).toMatchObject({
    half: 3,
    'Amounts.unused': 0,
    'Note.twice': 0,
  })
})

test('a line that ran only in a transaction that failed is named', async () => {
  const ledger = await openLedger(LEDGER)
  try {
    await ledger.send(ledger.encode('pay'), 5n)
    const { codes } = ledger.executed.take()
    const { hits } = recognise(codes, createCodeIndex([LEDGER.build]))
    const file = fileAt(coverSources([LEDGER.build], hits).files, 'src/Ledger.sol')
    const parts = ['require(uses < most', 'require(msg.value > 0', 'revert TooLittle']
    expect(file.undoneLines).toEqual(parts.map((part) => lineOf(file.content, part)))
  } finally {
    await ledger.close()
  }
})

test('what is merged adds up: the same run twice has twice the hits', async () => {
  const { codes } = await callLedger(LEDGER)
  const index = createCodeIndex([LEDGER.build])
  const cover = (all: typeof codes) =>
    fileAt(coverSources([LEDGER.build], recognise(all, index).hits).files, 'src/Ledger.sol')
  const [once, twice] = [cover(codes), cover([...codes, ...codes])]
  for (const [line, hits] of lineHits(once)) expect(lineHits(twice).get(line)).toBe(2 * hits)
  expect(Object.values(twice.data.b).flat()).toEqual(
    Object.values(once.data.b)
      .flat()
      .map((hits) => 2 * hits),
  )
})

test('sources that nothing executed are there without a hit, those of others and of tests are not', () => {
  const source = 'pragma solidity ^0.8.30; contract A { uint256 x; function f() external { x = 1; } }'
  const paths = [
    'src/A.sol',
    'lib/solmate/A.sol',
    'node_modules/a/A.sol',
    '@oz/A.sol',
    'test/A.sol',
    'src/A.t.sol',
    'script/A.s.sol',
  ]
  const build = readStandardJson(compileStandard(Object.fromEntries(paths.map((path) => [path, source]))))
  const { files } = coverSources([build], NOTHING)
  expect(files.map(({ source: path }) => path)).toEqual(['src/A.sol'])
  expect(files[0]?.data.s).toEqual({ 0: 0 })
  const chosen = coverSources([build], NOTHING, { include: ['lib', 'src/*.t.sol'], exclude: [] }).files
  expect(chosen.map(({ source: path }) => path)).toEqual(['lib/solmate/A.sol', 'src/A.t.sol'])
  expect(coverSources([build], NOTHING, { exclude: ['src/**'] }).files).toEqual([])
  // A package that is compiled under a name of its own is no file of the project.
  expect(coverSources([build], NOTHING, {}, () => undefined).files).toEqual([])
})

test('without an AST, the lines of plain code are counted all the same, and its functions', async () => {
  const { codes } = await callLedger(LEDGER)
  const sources = LEDGER.build.sources.map((source) => ({ ...source, ast: undefined }))
  const build = { ...LEDGER.build, sources }
  const cover = (each: Build) => coverSources([each], recognise(codes, createCodeIndex([each])).hits).files
  const whole = cover(LEDGER.build)
  for (const file of cover(build)) {
    const known = fileAt(whole, file.source)
    const [told, right] = [lineHits(file), lineHits(known)]
    // More lines: where an argument or the brace of a block stands alone. Fewer: code that is in no contract.
    const more = [...told.keys()]
      .filter((line) => !right.has(line))
      .map((line) => file.content.split('\n')[line - 1]?.trim())
    expect(more).toEqual(
      file.source === 'src/Ledger.sol' ? ['_;', 'do {', '} catch Error(string memory) {', '500'] : [],
    )
    const fewer = [...right.keys()]
      .filter((line) => !told.has(line))
      .map((line) => file.content.split('\n')[line - 1]?.trim())
    expect(fewer).toEqual(file.source === 'src/Ledger.sol' ? [] : ['return amount;'])
    for (const [line, hits] of right)
      if (told.has(line)) expect([line, (told.get(line) ?? 0) > 0]).toEqual([line, hits > 0])
    expect(functionHits(file)).toEqual(functionHits(known))
    expect(branchHits(file)).toEqual([])
  }
})

test('a source without a text, one that is too long, or an optimised one without an AST, or one that is too long, is left out with the reason', () => {
  const { build } = LEDGER
  const change = (source: Partial<Build['sources'][number]>): Build => ({
    ...build,
    settings: { ...build.settings, optimizer: true },
    sources: build.sources.map((each) => (each.path === 'src/Ledger.sol' ? { ...each, ...source } : each)),
  })
  for (const [source, reason] of [
    [{ ast: undefined }, /AST/],
    [{ content: undefined }, /text/],
    [{ content: `${SOURCES['src/Ledger.sol']}${' '.repeat(2 << 20)}` }, /2097152 characters/],
  ] as const) {
    const { files, leftOut } = coverSources([change(source)], NOTHING)
    expect(files.map(({ source: path }) => path)).toEqual(['src/Amounts.sol'])
    expect(leftOut).toHaveLength(1)
    expect(leftOut[0]?.source).toBe('src/Ledger.sol')
    expect(leftOut[0]?.reason).toMatch(reason)
  }
})

test('an AST that lies about places tells of nothing outside of the text', () => {
  const source = (src: string) => ({
    id: 0,
    path: 'src/A.sol',
    content: 'ab\n',
    ast: {
      nodeType: 'SourceUnit',
      src: '0:3:0',
      nodes: [
        {
          nodeType: 'FunctionDefinition',
          src,
          name: '<script>alert(1)</script>',
          body: {
            nodeType: 'Block',
            src,
            statements: [{ nodeType: 'IfStatement', src, condition: { nodeType: 'Literal', src } }],
          },
        },
      ],
    },
  })
  for (const src of ['0:3:0', '1:4000000000:0', '4000000000:1:0', '-1:2:0', 'x', '2:9007199254740991:0']) {
    const { files } = coverSources([{ ...LEDGER.build, contracts: [], sources: [source(src)] }], NOTHING)
    for (const { data } of files) {
      const places = [...Object.values(data.statementMap), ...Object.values(data.fnMap).map(({ loc }) => loc)]
      for (const { start, end } of places) {
        expect(start.line).toBeLessThanOrEqual(2)
        expect(end.line).toBeLessThanOrEqual(2)
        expect(start.column).toBeLessThanOrEqual(2)
      }
      for (const { name } of Object.values(data.fnMap)) expect(name).not.toMatch(/[<>/]/)
    }
  }
})

test('of two builds of one source the one that was executed counts', async () => {
  const { codes } = await callLedger(LEDGER)
  const older = compileStandard({ ...SOURCES, 'src/Ledger.sol': `// older\n${SOURCES['src/Ledger.sol']}` })
  const builds = [LEDGER.build, readStandardJson(older)]
  const { hits } = recognise(codes, createCodeIndex(builds))
  const { files } = coverSources(builds, hits)
  const file = fileAt(files, 'src/Ledger.sol')
  expect(file.content).toBe(SOURCES['src/Ledger.sol'])
  expect(functionHits(file)['Ledger.pay']).toBe(3)
  expect(fileAt(files, 'src/Amounts.sol').data.f[0]).toBe(3)
})
