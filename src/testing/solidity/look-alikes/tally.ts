import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { type Explanation, explainFailure } from '#solidity/stack/explain-failure.ts'
import { describeFrame } from '#solidity/stack/stack-frame.ts'
import { VARIANTS, type Variant } from '#testing/solidity/scenarios.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { compareStacks } from './compare.ts'
import { FORMS } from './forms.ts'
import type { LookAlikes } from './generate.ts'
import { playCalls } from './play.ts'

const FILE = 'Contract.sol'

/** What was told of calls that fail, for one pipeline and one form of a build. */
export interface Row {
  calls: number
  'wrong line': number
  'wrong name': number
  /** Lines of the right stacks, and how many of them were told. */
  lines: number
  told: number
}

/** Counts what is told of the same calls by pipeline and form, against the lines of plain code. */
export class Tally {
  readonly rows = new Map<string, Row>()
  readonly wrong: string[] = []
  failed = 0

  /**
   * Compiles, plays and explains one source in all ways.
   *
   * @param name - For what is wrong: a file or a seed.
   * @param isKept - Whether what was compiled is kept for other runs.
   */
  async add(name: string, source: LookAlikes, isKept = true): Promise<void> {
    const played = new Map<Variant, Awaited<ReturnType<typeof playLookAlikes>>>()
    for (const variant of Object.keys(VARIANTS) as Variant[])
      played.set(variant, await playLookAlikes(source, variant, isKept))
    const plain = played.get('plain')
    if (!plain) return
    const index = createCodeIndex([plain.build])
    const right = plain.traces.map((trace) => explainFailure(trace, index))
    this.failed += right.filter(Boolean).length
    for (const [variant, { build, traces }] of played) {
      for (const [form, change] of Object.entries(FORMS)) {
        const known = createCodeIndex([change(build)])
        traces.forEach((trace, i) => {
          const truth = right[i]
          if (!truth || !isSame(trace, plain.traces[i]) || truth.failure.kind === 'out-of-gas') return
          const told = explainFailure(trace, known)
          const call = source.calls[i]
          if (told)
            this.#count(
              `${variant} | ${form}`,
              `${name}: ${call?.contract}.${call?.call}(${call?.args.join()})`,
              told,
              truth,
            )
        })
      }
    }
  }

  #count(key: string, call: string, told: Explanation, right: Explanation): void {
    const row = this.rows.get(key) ?? { calls: 0, 'wrong line': 0, 'wrong name': 0, lines: 0, told: 0 }
    this.rows.set(key, row)
    const { verdict, lines, told: count } = compareStacks(told.frames, right.frames)
    row.calls++
    row.lines += lines
    row.told += count
    if (verdict === 'right') return
    row[verdict]++
    const stacks = [told, right].map(({ frames }) => frames.map(describeFrame).join(' < '))
    this.wrong.push(`${verdict}, ${key}, ${call}\n  told  ${stacks[0]}\n  right ${stacks[1]}`)
  }

  /** As rows of a Markdown table. */
  table(): string {
    return [...this.rows]
      .map(([key, row]) => {
        const share = ((100 * row.told) / row.lines).toFixed(1)
        return `| ${key} | ${row['wrong line']} | ${row['wrong name']} | ${share} % |`
      })
      .join('\n')
  }
}

/** Compiles a source in one way, and traces its calls. */
export async function playLookAlikes(source: LookAlikes, variant: Variant, isKept = true) {
  const json = compileStandard({ [FILE]: source.text }, VARIANTS[variant], undefined, isKept)
  return { build: readStandardJson(json), traces: await playCalls(source, json) }
}

/** Whether two runs failed in the same way: the optimizer may change the order in which operands are evaluated. */
function isSame(trace: RpcExecutionTrace, other: RpcExecutionTrace | undefined): boolean {
  const [frame, before] = [trace.frames[0], other?.frames[0]]
  return frame?.error === before?.error && frame?.output === before?.output
}
