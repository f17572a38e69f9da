import { beforeAll, describe, expect, test } from 'vitest'
import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { Build, Code } from '#solidity/build/build.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { deployFailures, FAILURES, type Verdict, verdictOf } from '#testing/solidity/failure-scenarios.ts'
import { Stage, VARIANTS, type Variant } from '#testing/solidity/scenarios.ts'
import { explainFailure } from './explain-failure.ts'
import { describeFrame } from './stack-frame.ts'

const FILE = 'failures.sol'
/** How many of the scenarios must have every line: as many as when this was last measured. */
const LEAST_EXACT: Record<Variant, { readonly withAst: number; readonly withoutAst: number }> = {
  plain: { withAst: 80, withoutAst: 79 },
  optimized: { withAst: 76, withoutAst: 46 },
  ir: { withAst: 80, withoutAst: 77 },
  'ir, optimized': { withAst: 72, withoutAst: 27 },
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
    const { verdicts, misworded } = judge(stage.build)
    expect(verdicts.wrong).toEqual([])
    expect(misworded).toEqual([])
    expect(verdicts.whole.length, verdicts['in part'].join()).toBeGreaterThanOrEqual(LEAST_EXACT[variant].withAst)
  })

  test('without an AST, which Foundry leaves out, no line is wrong either', () => {
    const { verdicts } = judge(withoutAst(stage.build))
    expect(verdicts.wrong).toEqual([])
    expect(verdicts.whole.length, verdicts['in part'].join()).toBeGreaterThanOrEqual(LEAST_EXACT[variant].withoutAst)
  })

  test('unknown code is named by its address, with the reason', () => {
    const explanation = explainFailure(traces.get('requireText') as RpcExecutionTrace, createCodeIndex([]))
    expect(explanation?.failure).toMatchObject({ kind: 'reason', message: 'too small' })
    expect(explanation?.frames.map(describeFrame)).toEqual([`unknown contract ${stage.addresses.get('Failures')}`])
  })
})
