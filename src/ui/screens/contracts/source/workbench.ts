import { create } from 'zustand'
import { CompilerError, createSolidityCompiler } from '#client/solidity-compiler.ts'
import type { CompileOutput } from '#compiler/messages.ts'
import { readDraft, type SourceDraft, writeDraft } from './draft-storage.ts'

/** A compilation that came to its end, with or without contracts. */
export interface Compilation {
  /** The source that was compiled. */
  readonly draft: SourceDraft
  readonly output: CompileOutput
  readonly tookMs: number
}

export interface Workbench {
  readonly draft: SourceDraft
  /** Whether the draft outlives the page. */
  readonly kept: boolean
  readonly compilation: Compilation | undefined
  /** Why the last attempt came to no end. */
  readonly failure: CompilerError | undefined
}

/** Typing writes once it pauses. */
const WRITE_AFTER_MS = 400

/** The compiler outlives the screen: while it runs it answers in a fraction of a second. */
export const compiler = createSolidityCompiler()

/** The work at the contracts screen; it outlives the screen, and the draft outlives the page. */
export const useWorkbench = create<Workbench>()(() => ({
  ...storedDraft(),
  compilation: undefined,
  failure: undefined,
}))

function storedDraft(): Pick<Workbench, 'draft' | 'kept'> {
  try {
    return { draft: readDraft(localStorage), kept: true }
  } catch (error) {
    // Some settings of browsers forbid even the question.
    if (!(error instanceof DOMException)) throw error
    return { draft: readDraft({ getItem: () => null }), kept: false }
  }
}

let timer: ReturnType<typeof setTimeout> | undefined

export function editDraft(change: Partial<SourceDraft>): void {
  useWorkbench.setState(({ draft }) => ({ draft: { ...draft, ...change } }))
  clearTimeout(timer)
  timer = setTimeout(saveDraft, WRITE_AFTER_MS)
}

/** Writes the draft down now. */
export function saveDraft(): void {
  clearTimeout(timer)
  const { draft, kept } = useWorkbench.getState()
  try {
    writeDraft(localStorage, draft)
    if (!kept) useWorkbench.setState({ kept: true })
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    useWorkbench.setState({ kept: false })
  }
}

/** Compiles what stands in the editor; what is under way is cancelled. */
export async function compileDraft(): Promise<void> {
  const { draft } = useWorkbench.getState()
  saveDraft()
  useWorkbench.setState({ failure: undefined })
  const startedAt = performance.now()
  try {
    const output = await compiler.compile(draft)
    useWorkbench.setState({ compilation: { draft, output, tookMs: performance.now() - startedAt } })
  } catch (error) {
    if (!(error instanceof CompilerError)) throw error
    if (error.code !== 'cancelled') useWorkbench.setState({ failure: error })
  }
}
