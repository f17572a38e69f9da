import { create } from 'zustand'
import { CompilerError, createSolidityCompiler } from '#client/solidity-compiler.ts'
import type { CompileOutput } from '#compiler/messages.ts'
import { readDraft, type SourceDraft, writeDraft } from './draft-storage.ts'

/** A finished compilation, with or without contracts. */
export interface Compilation {
  /** The source that was compiled. */
  readonly draft: SourceDraft
  readonly output: CompileOutput
  readonly tookMs: number
}

export interface Workbench {
  readonly draft: SourceDraft
  /** Whether the draft is stored. */
  readonly kept: boolean
  readonly compilation: Compilation | undefined
  /** Why the last compilation failed. */
  readonly failure: CompilerError | undefined
}

/** Milliseconds of pause in typing after which the draft is stored. */
const WRITE_AFTER_MS = 400

/** The compiler survives leaving the screen: once it runs, it answers in a fraction of a second. */
export const compiler = createSolidityCompiler()

/** The state of the contracts screen; it survives leaving the screen, and its draft survives the page. */
export const useWorkbench = create<Workbench>()(() => ({
  ...storedDraft(),
  compilation: undefined,
  failure: undefined,
}))

function storedDraft(): Pick<Workbench, 'draft' | 'kept'> {
  try {
    return { draft: readDraft(localStorage), kept: true }
  } catch (error) {
    // With some browser settings even access to the property throws.
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

/** Stores the draft now. */
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

/** Compiles the editor's text; cancels a compilation in progress. */
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
