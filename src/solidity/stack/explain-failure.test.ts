import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { Build, Code } from '#solidity/build/build.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { devAccount } from '#testing/node/test-node.ts'
import { deployFailures, FAILURES, type Verdict, verdictOf } from '#testing/solidity/failure-scenarios.ts'
import reference from '#testing/solidity/reference-stacks.json' with { type: 'json' }
import { contractText, ScenarioChain, VARIANTS, type Variant } from '#testing/solidity/scenarios.ts'
import { SOLC_VERSION } from '#testing/solidity/solc.ts'
import { explainFailure } from './explain-failure.ts'
import { describeFrame } from './stack-frame.ts'

// Our stacks alone and beside Hardhat's and Foundry's, in one file: compiling and running the scenarios takes most of the time.

const VARIANT_NAMES = Object.keys(VARIANTS) as Variant[]
const FILE = 'failures.sol'
/** How many of the scenarios must have every line: as many as when this was last measured. */
const LEAST_EXACT: Record<Variant, { readonly withAst: number; readonly withoutAst: number }> = {
  plain: { withAst: 80, withoutAst: 79 },
  optimized: { withAst: 78, withoutAst: 46 },
  ir: { withAst: 80, withoutAst: 77 },
  'ir, optimized': { withAst: 73, withoutAst: 27 },
}

/** A build without what Foundry's artifacts leave out by default. */
function withoutAst(build: Build): Build {
  const bare = (code: Code | undefined) => code && { ...code, functions: [], generatedSources: [] }
  return {
    ...build,
    sources: build.sources.map((source) => ({ ...source, ast: undefined })),
    contracts: build.contracts.map((contract) => ({
      ...contract,
      creation: bare(contract.creation),
      deployed: bare(contract.deployed),
    })),
  }
}

type Lines = readonly (number | null | undefined)[]
/** By compilation variant and scenario. */
type Told = Readonly<Record<string, Readonly<Record<string, Lines>>>>

const ours: Record<string, Readonly<Record<string, Lines>>> = {}
const theirs: Readonly<Record<'Hardhat' | 'Foundry', Told>> = {
  Hardhat: reference.Hardhat.told,
  Foundry: reference.Foundry.told,
}

/** What was compiled and deployed, and the scenarios' traces. */
const played: Partial<
  Record<Variant, { readonly stage: ScenarioChain; readonly traces: ReadonlyMap<string, RpcExecutionTrace> }>
> = {}

beforeAll(async () => {
  for (const variant of VARIANT_NAMES) {
    const stage = await ScenarioChain.open(FILE, VARIANTS[variant])
    await deployFailures(stage)
    const traces = new Map<string, RpcExecutionTrace>()
    for (const scenario of FAILURES) traces.set(scenario.name, await stage.trace(scenario))
    played[variant] = { stage, traces }
    const index = createCodeIndex([stage.build])
    ours[variant] = Object.fromEntries(
      [...traces].map(([name, trace]) => [name, explainFailure(trace, index)?.frames.map(({ line }) => line) ?? []]),
    )
  }
}, VARIANT_NAMES.length * 60_000)

function playedAs(variant: Variant) {
  const found = played[variant]
  if (!found) throw new Error(`nothing was compiled ${variant}`)
  return found
}

describe.each(VARIANT_NAMES)('compiled %s', (variant) => {
  function judgeAll(build: Build): { readonly verdicts: Record<Verdict, string[]>; readonly misworded: string[] } {
    const { traces } = playedAs(variant)
    const index = createCodeIndex([build])
    const verdicts: Record<Verdict, string[]> = { whole: [], 'in part': [], wrong: [] }
    const misworded: string[] = []
    for (const { name, message } of FAILURES) {
      const explanation = explainFailure(traces.get(name) as RpcExecutionTrace, index)
      if (!explanation) throw new Error(`${name} did not fail`)
      const { failure, frames } = explanation
      const lines = frames.map(({ line }) => line)
      const verdict = verdictOf(name, lines)
      verdicts[verdict].push(verdict === 'wrong' ? `${name}: ${frames.map(describeFrame).join(' < ')}` : name)
      const isRight = typeof message === 'string' ? message === failure.message : message.test(failure.message)
      if (!isRight) misworded.push(`${name}: ${failure.message}`)
    }
    return { verdicts, misworded }
  }

  test('no line is wrong, nearly none is missing, and the reason is right', () => {
    const { verdicts, misworded } = judgeAll(playedAs(variant).stage.build)
    expect(verdicts.wrong).toEqual([])
    expect(misworded).toEqual([])
    expect(verdicts.whole.length, verdicts['in part'].join()).toBeGreaterThanOrEqual(LEAST_EXACT[variant].withAst)
  })

  test('without an AST, which Foundry leaves out, no line is wrong either', () => {
    const { verdicts } = judgeAll(withoutAst(playedAs(variant).stage.build))
    expect(verdicts.wrong).toEqual([])
    expect(verdicts.whole.length, verdicts['in part'].join()).toBeGreaterThanOrEqual(LEAST_EXACT[variant].withoutAst)
  })

  test('unknown code is named by its address, with the reason', () => {
    const { stage, traces } = playedAs(variant)
    const explanation = explainFailure(traces.get('requireText') as RpcExecutionTrace, createCodeIndex([]))
    expect(explanation?.failure).toMatchObject({ kind: 'reason', message: 'too small' })
    expect(explanation?.frames.map(describeFrame)).toEqual([`unknown contract ${stage.addresses.get('Failures')}`])
  })
})

const SCENARIOS = process.env['STACK_SCENARIOS']

test.runIf(SCENARIOS !== undefined)('writes the scenarios for `npm run stack-traces`', async () => {
  const variants: Record<string, unknown> = {}
  for (const variant of VARIANT_NAMES) {
    const stage = await ScenarioChain.open(FILE, VARIANTS[variant])
    await deployFailures(stage)
    variants[variant] = {
      ...stage.json,
      creations: stage.creations.map((data) => ({ from: devAccount(0).address, data, gas: '0xf00000' })),
      calls: FAILURES.map((scenario) => ({ name: scenario.name, ...stage.callOf(scenario) })),
      maths: stage.addresses.get('Maths'),
    }
  }
  expect(Object.keys(variants)).toHaveLength(4)
  writeFileSync(SCENARIOS as string, JSON.stringify({ solc: SOLC_VERSION, variants }))
})

/** Via IR, Hardhat repeats some frames, which does not count as wrong. */
function withoutRepeats(lines: Lines): Lines {
  const told = lines.filter((line) => typeof line === 'number')
  return told.filter((line, at) => line !== told[at - 1])
}

function judge(name: string, lines: Lines): Verdict {
  const verdicts = [lines, withoutRepeats(lines)].map((each) => verdictOf(name, each))
  return verdicts.find((verdict) => verdict !== 'wrong') ?? 'wrong'
}

/** As a row of the table in `docs/solidity.md`. */
function rowOf(who: string, told: Told): string {
  const cells = VARIANT_NAMES.map((variant) => {
    const count = { whole: 0, 'in part': 0, wrong: 0 }
    for (const { name } of FAILURES) count[judge(name, told[variant]?.[name] ?? [])]++
    return `${count.whole} / ${count['in part']} / ${count.wrong}`
  })
  return `| ${[who, ...cells].join(' | ')} |`
}

test('the recorded lines of Hardhat and Foundry are those of the current source', () => {
  const hash = createHash('sha256').update(contractText('failures.sol')).digest('hex')
  expect(reference.source, 'failures.sol has changed: npm run stack-traces').toBe(hash)
})

test('none of our lines is wrong, and the docs say how many of theirs are', () => {
  const document = readFileSync('docs/solidity.md', 'utf8')
  expect(document).toContain(`the ${FAILURES.length} failures`)
  const rows = [
    rowOf('Blinknet', ours),
    ...(['Hardhat', 'Foundry'] as const).map((who) => rowOf(`${who} ${reference[who].version}`, theirs[who])),
  ]
  expect(rows[0]?.match(/\d+ (?=[|])/g)?.map(Number)).toEqual([0, 0, 0, 0])
  for (const row of rows) expect(document).toContain(row)
})

/** Where our lines and theirs differ without the optimizer. */
const DIFFERENCES = {
  Hardhat: {
    'takes the caught call for the reason, as the contract itself then reverts with the same data': ['caughtSame'],
    'has the line of the function with the same modifier twice, we have none': ['twoModifiers'],
    'has no stack trace if gas runs out': ['burnsGas'],
    'has no reason and the line of the contract; we have that of the function whose arguments were wrong': [
      'badArguments',
    ],
    'leaves out the constructor that called the base constructor': ['baseConstructor'],
    'adds the line of the contract whose code was too large, where nothing failed': ['tooLarge'],
  },
  Foundry: {
    'has no line if code that the compiler added reverts': [
      ...['assertion', 'overflow', 'overflowSecond', 'underflow', 'division', 'modulo', 'increment', 'overflowTwo'],
      ...['outOfBounds', 'outOfBoundsMemory', 'outOfBoundsCalldata', 'emptyPop', 'badEnum', 'nullPointer'],
      ...['tooMuchMemory', 'inheritedUnderflow', 'noContractReturn', 'shortReturn', 'badArguments'],
    ],
    'has one line per external call, so none for the caller of an internal function or a modifier': [
      ...['internalCalls', 'sharedHelperFirst', 'sharedHelperSecond', 'recursive', 'modifierCustom'],
      ...['modifierArgument', 'modifierAfter', 'modifiedCall', 'superCall', 'libraryInternal', 'freeFunction'],
      ...['innerOne', 'innerTwo'],
    ],
    'takes the last failed call for the reason, although it was caught': [
      ...['caughtSame', 'caughtAndWentOn', 'caughtThenOwn', 'caughtReworded', 'lowLevel', 'lowLevelText'],
    ],
    'has the line where the data was rethrown, we have that of the call it came from': [
      ...['rethrown', 'caughtRethrown', 'delegated', 'proxied'],
    ],
    'has no line in constructors': [
      ...['constructorFails', 'constructorInternal', 'constructorValue', 'baseConstructor', 'baseArgument', 'creates'],
    ],
    'creates the contract that is too large': ['tooLarge'],
  },
} as const

describe.each(['Hardhat', 'Foundry'] as const)('%s', (who) => {
  test('has the same lines without the optimizer, apart from the listed differences', () => {
    const differing = FAILURES.map(({ name }) => name).filter((name) => {
      const [mine, other] = [ours, theirs[who]].map((told) => withoutRepeats(told['plain']?.[name] ?? []).join())
      return mine !== other
    })
    expect(new Set(differing)).toEqual(new Set(Object.values(DIFFERENCES[who]).flat()))
  })
})
