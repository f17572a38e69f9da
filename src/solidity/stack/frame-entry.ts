import type { RpcExecutionFrame } from '#rpc-types/execution-trace.ts'
import type { RecognisedCode } from '#solidity/code/code-index.ts'
import { callGraph } from '#solidity/source/call-graph.ts'
import type { CallGraph } from '#solidity/source/graph.ts'
import type { Callable } from '#solidity/source/outline.ts'
import { abiSelector } from './failure.ts'
import type { FrameCode } from './traced-code.ts'

/** What a frame enters. */
export interface FrameEntry {
  readonly graph: CallGraph | undefined
  /** The function that was called from outside, if the sources show it. */
  readonly entry: Callable | undefined
  /** The functions that it may be, if the sources show no more. */
  readonly starts: readonly Callable[]
  /** Name of the entry; empty where it has none. */
  readonly entryName: string | undefined
}

/** The function that a frame enters, by its selector. */
export function frameEntry(frame: RpcExecutionFrame, code: FrameCode | undefined): FrameEntry {
  const recognised = code?.recognised
  const graph = graphOf(frame, code)
  const entryName = recognised && entryNameOf(frame, recognised)
  if (!graph) return { graph, entry: undefined, starts: [], entryName }
  return { graph, entryName, ...entryIn(graph, frame, entryName ?? '') }
}

function entryIn(
  graph: CallGraph,
  { type, input }: RpcExecutionFrame,
  name: string,
): Pick<FrameEntry, 'entry' | 'starts'> {
  if (type.startsWith('CREATE')) {
    const [first] = graph.constructors
    const own = first?.callable.contract === graph.contracts[0] ? first?.callable : undefined
    return { entry: own, starts: graph.constructors.map(({ callable }) => callable) }
  }
  if (name !== '' && !graph.hasIds) {
    const all = graph.byName(name).map(({ callable }) => callable)
    return { entry: all.length === 1 ? all[0] : undefined, starts: all }
  }
  const named = input.length >= 10 ? graph.bySelector(input.slice(2, 10).toLowerCase()) : undefined
  if (named && !('callable' in named)) return { entry: undefined, starts: [] }
  const found = named ?? (input === '0x' ? graph.ofKind('receive') : undefined) ?? graph.ofKind('fallback')
  return { entry: found?.callable, starts: found ? [found.callable] : [] }
}

/** What can call what in a frame's contract. */
export function graphOf({ type }: RpcExecutionFrame, code: FrameCode | undefined): CallGraph | undefined {
  const recognised = code?.recognised
  const graph = recognised && callGraph(recognised.build, recognised.contract)
  // The text does not show what runs when a contract is created: initial values, constructors of bases.
  const isText = graph && !graph.hasIds
  return isText && (!code?.isOptimized || type.startsWith('CREATE')) ? undefined : graph
}

/** Name of the function that a frame enters; empty if it has none. */
export function entryNameOf({ type, input }: RpcExecutionFrame, { contract }: RecognisedCode): string {
  if (type.startsWith('CREATE') || input.length < 10) return ''
  const selector = input.slice(0, 10).toLowerCase()
  return contract.abi.find((entry) => entry.type === 'function' && abiSelector(entry) === selector)?.name ?? ''
}

/**
 * Whether a function can run in a frame at all. Of functions that do the same the optimizer keeps one, so code may have the
 * place of one that cannot.
 */
export function canRunIn(frame: RpcExecutionFrame, code: FrameCode | undefined): (callable: Callable) => boolean {
  if (!code?.isOptimized) return () => true
  const { graph, starts } = frameEntry(frame, code)
  if (!graph || starts.length === 0 || frame.type.startsWith('CREATE')) return () => true
  const reachable = graph.reachableFrom(starts)
  return (callable) => reachable.has(callable)
}
