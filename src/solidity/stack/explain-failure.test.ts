import { beforeAll, describe, expect, test } from 'vitest'
import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { Build, Code } from '#solidity/build/build.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { deployFailures, FAILURES } from '#testing/solidity/failure-scenarios.ts'
import { contractText, marksOf, Stage, VARIANTS, type Variant } from '#testing/solidity/scenarios.ts'
import { type Explanation, explainFailure } from './explain-failure.ts'
import { describeFrame } from './stack-frame.ts'

const FILE = 'failures.sol'
const MARKS = marksOf(contractText(FILE))

/** Marked lines of a scenario, innermost first. */
function rightLines(name: string): (number | undefined)[] {
  const lines: (number | undefined)[] = [MARKS.get(name)]
  for (let i = 1; MARKS.has(`${name}#${i}`); i++) lines.push(MARKS.get(`${name}#${i}`))
  return lines
}

type Verdict = 'exact' | 'unknown' | 'wrong'

/** `wrong` if a line that is told is not a right one, or out of order; `exact` if none is missing. */
function verdictOf(name: string, { frames }: Explanation): Verdict {
  const right = rightLines(name)
  const told = frames.map(({ line }) => line).filter((line) => line !== undefined)
  let at = 0
  for (const line of told) {
    at = right.indexOf(line, at) + 1
    if (at === 0) return 'wrong'
  }
  return right.every((line) => line === undefined || told.includes(line)) ? 'exact' : 'unknown'
}

/** How many of the scenarios must be told to the last line: as many as were when it was measured. */
const LEAST_EXACT: Record<Variant, { readonly withAst: number; readonly withoutAst: number }> = {
  plain: { withAst: 77, withoutAst: 76 },
  optimized: { withAst: 73, withoutAst: 44 },
  ir: { withAst: 77, withoutAst: 74 },
  'ir, optimized': { withAst: 69, withoutAst: 27 },
}

/** What Foundry's artifacts leave out by default. */
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

describe.each(Object.keys(VARIANTS) as Variant[])('compiled %s', (variant) => {
  let stage: Stage
  const traces = new Map<string, RpcExecutionTrace>()

  beforeAll(async () => {
    stage = await Stage.open(FILE, VARIANTS[variant])
    await deployFailures(stage)
    for (const scenario of FAILURES) traces.set(scenario.name, await stage.trace(scenario))
  }, 60_000)

  function judge(build: Build): { readonly verdicts: Record<Verdict, string[]>; readonly misworded: string[] } {
    const index = createCodeIndex([build])
    const verdicts: Record<Verdict, string[]> = { exact: [], unknown: [], wrong: [] }
    const misworded: string[] = []
    for (const { name, message } of FAILURES) {
      const explanation = explainFailure(traces.get(name) as RpcExecutionTrace, index)
      if (!explanation) throw new Error(`${name} did not fail`)
      const { failure, frames } = explanation
      const verdict = verdictOf(name, explanation)
      verdicts[verdict].push(verdict === 'wrong' ? `${name}: ${frames.map(describeFrame).join(' < ')}` : name)
      const isRight = typeof message === 'string' ? message === failure.message : message.test(failure.message)
      if (!isRight) misworded.push(`${name}: ${failure.message}`)
    }
    return { verdicts, misworded }
  }

  test('no line is wrong, nearly all are told, and so is the reason', () => {
    const { verdicts, misworded } = judge(stage.build)
    expect(verdicts.wrong).toEqual([])
    expect(misworded).toEqual([])
    expect(verdicts.exact.length, verdicts.unknown.join()).toBeGreaterThanOrEqual(LEAST_EXACT[variant].withAst)
  })

  test('without AST, as Foundry leaves it out, no line is wrong either', () => {
    const { verdicts } = judge(withoutAst(stage.build))
    expect(verdicts.wrong).toEqual([])
    expect(verdicts.exact.length, verdicts.unknown.join()).toBeGreaterThanOrEqual(LEAST_EXACT[variant].withoutAst)
  })

  test('code that no build has is told by its address, with the reason', () => {
    const explanation = explainFailure(traces.get('requireText') as RpcExecutionTrace, createCodeIndex([]))
    expect(explanation?.failure).toMatchObject({ kind: 'reason', message: 'too small' })
    expect(explanation?.frames.map(describeFrame)).toEqual([`unknown contract ${stage.addresses.get('Failures')}`])
  })
})
