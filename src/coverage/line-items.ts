import type { Build, BuildSource } from '#solidity/build/build.ts'
import { mapCode } from '#solidity/code/source-map.ts'
import type { SourceText } from '#solidity/source/lines.ts'
import type { Callable } from '#solidity/source/outline.ts'
import { innermost } from '#solidity/source/outline.ts'
import { outlineOfText } from '#solidity/source/text-outline.ts'
import type { FunctionItem, SourceItems, StatementItem } from './source-items.ts'

const FAILING = /^\s*(?:revert|require|assert)\b/

/**
 * What can be executed of a source without an AST: the lines of its functions on which something begins that a code of the
 * build has instructions for. Decisions are not known then.
 */
export function itemsOfLines(build: Build, source: BuildSource, content: string, text: SourceText): SourceItems {
  const callables = outlineOfText(content).callables.filter(({ body }) => body !== undefined)
  const owners = new Map(callables.map((callable, index) => [callable, index]))
  const lines = new Map<number, { readonly start: number; readonly end: number; readonly owner: number }>()
  for (const start of startsIn(build, source.id)) {
    const callable = innermost(callables, start, start)
    const { body } = callable ?? {}
    if (!callable || !body || start <= body.start || start >= body.end) continue
    const line = text.lineAt(start)
    if (lines.has(line)) continue
    const [from, to] = [text.offsetOf(line), text.offsetOf(line + 1)]
    lines.set(line, {
      start: Math.max(from, body.start + 1),
      end: Math.min(to, body.end),
      owner: owners.get(callable) as number,
    })
  }
  const statements = [...lines.values()]
    .toSorted((a, b) => a.start - b.start)
    .map((range): StatementItem => {
      const own = text.slice(range.start, range.end)
      const start = range.start + (own.length - own.trimStart().length)
      return {
        ...range,
        shown: { start, end: Math.max(start, range.start + own.trimEnd().length) },
        fails: FAILING.test(own),
      }
    })
  const functions = callables.map((callable, index) => functionOf(callable, statements, index))
  return { contracts: [], statements, functions, branches: [], isByLine: true }
}

function functionOf(callable: Callable, statements: readonly StatementItem[], index: number): FunctionItem {
  const { start, end, body, contract, name, kind } = callable
  const first = statements.findIndex(({ owner }) => owner === index)
  return {
    start,
    end,
    name: [contract?.name, name || kind].filter(Boolean).join('.'),
    contract: undefined,
    isConstructor: kind === 'constructor',
    isInternal: true,
    head: { start, end: body?.start ?? end },
    first: first < 0 ? undefined : first,
  }
}

/** Where the places of a source begin that any code of the build has. */
function startsIn({ contracts }: Build, file: number): ReadonlySet<number> {
  const starts = new Set<number>()
  for (const { creation, deployed } of contracts) {
    for (const code of [creation, deployed]) {
      if (!code || code.sourceMap === '') continue
      const mapped = mapCode(code)
      mapped.files.forEach((each, instruction) => {
        if (each === file) starts.add(mapped.starts[instruction] as number)
      })
    }
  }
  return starts
}
