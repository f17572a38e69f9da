import { harmlessLine } from '#primitives/harmless-line.ts'
import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { RpcStackFrame, RpcStackTrace } from '#rpc-types/stack-trace.ts'
import type { BuildsOfNode } from './known-builds.ts'

/** Most frames that are told: innermost ones and outermost ones. */
const MAX_FRAMES = 64
/** Longest text of each kind, in characters: a line, a name, a message. */
const MAX_TEXT = 4_096

/** Why an execution failed, by the known builds; `undefined` if it did not, or no contract in it is known. */
export async function stackTraceOf(trace: RpcExecutionTrace, builds: BuildsOfNode): Promise<RpcStackTrace | undefined> {
  if (builds.isEmpty || trace.frames[0]?.error === null) return undefined
  const [{ explainFailure }, index] = await Promise.all([import('#solidity/stack/explain-failure.ts'), builds.index()])
  const explained = explainFailure(trace, index)
  if (!explained?.frames.some(({ contract, code }) => contract !== undefined || code !== undefined)) return undefined
  const { failure, frames } = explained
  const shown =
    frames.length > MAX_FRAMES ? [...frames.slice(0, MAX_FRAMES / 2), ...frames.slice(-MAX_FRAMES / 2)] : frames
  return {
    data: trace.frames[0]?.output ?? '0x',
    message: cut(wordsOf(failure.message, trace.frames[0]?.error ?? '')),
    stack: shown.map(({ address, contract, code, function: name, kind, file, line, column, text }) => ({
      address,
      contract: cut(contract ?? code) ?? null,
      function: cut(name === '' ? kind : name) ?? null,
      file: cut(file) ?? null,
      line: line ?? null,
      column: column ?? null,
      text: cut(text) ?? null,
    })),
  }
}

function cut<Text extends string | undefined>(text: Text): Text | string {
  return text !== undefined && text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/** Ethers finds revert data only beside a message that says so. */
function wordsOf(message: string, error: string): string {
  return error === 'execution reverted' && !/revert/i.test(message) ? `${error}: ${message}` : message
}

/** A stack trace as it is printed, below a line that says what failed. */
export function printedStack({ message, stack }: RpcStackTrace): string {
  return [harmlessLine(message), ...stack.map((frame) => `    at ${harmlessLine(placeOf(frame))}`)].join('\n')
}

function placeOf({ address, contract, function: name, file, line, column }: RpcStackFrame): string {
  const who = contract === null ? `unknown contract ${address}` : name === null ? contract : `${contract}.${name}`
  if (file === null) return who
  return `${who} (${file}${line === null ? ', line not known' : `:${line}:${column}`})`
}
