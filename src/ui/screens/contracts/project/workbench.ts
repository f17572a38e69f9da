import { create } from 'zustand'
import { CompilerError, solidityCompiler } from '#client/solidity-compiler.ts'
import type { CompileOutput } from '#compiler/messages.ts'
import { createProject } from './examples.ts'
import { keepBuild } from './keep-build.ts'
import type { Project } from './project.ts'

/** A finished compilation, with or without contracts. */
export interface WorkbenchCompilation {
  /** The project at the time it was compiled. */
  readonly project: Project
  readonly output: CompileOutput
  readonly tookMs: number
}

/** Whether projects outlast the page. `none`: the browser forbids storage, or is out of space. */
export type ProjectKeeping = 'kept' | 'none'

/** Why the newest version of a project is not stored: the chain has reached its limit of projects, or it is too large. */
export type Unkept = 'too many' | 'too large'

/** A project in the list. */
export interface ListedProject {
  readonly id: string
  readonly name: string
}

export interface Workbench {
  /** The chain whose projects these are; `undefined` until they have been read. */
  readonly chain: string | undefined
  readonly project: Project
  /** The chain's projects, newest first. An unchanged example is not one of them. */
  readonly projects: readonly ListedProject[]
  readonly keeping: ProjectKeeping
  /** Projects that are not stored, with the reason. */
  readonly unkept: ReadonlyMap<string, Unkept>
  /** Whether everything is stored. */
  readonly saved: boolean
  /** The last deletion, which can be undone. */
  readonly deleted: { readonly what: string; readonly before: Project } | undefined
  /** A library's source, shown instead of the current file. */
  readonly library: { readonly path: string; readonly text: string } | undefined
  readonly compilation: WorkbenchCompilation | undefined
  /** Why the last compilation failed. */
  readonly failure: CompilerError | undefined
  /** Whether the last build is kept for the contracts deployed from it. */
  readonly buildKept: boolean
}

/** The state of the contracts screen. It outlasts the screen, and its projects outlast the page. */
export const useWorkbench = create<Workbench>()(() => ({
  chain: undefined,
  project: createProject(),
  projects: [],
  keeping: 'kept',
  unkept: new Map(),
  saved: true,
  deleted: undefined,
  library: undefined,
  compilation: undefined,
  failure: undefined,
  buildKept: true,
}))

/** Whether the current version of the project was compiled. */
export function isCompiled({ project, compilation }: Workbench): boolean {
  return compilation?.project.files === project.files && compilation.project.settings === project.settings
}

/**
 * Compiles the project; cancels a compilation in progress.
 *
 * @param onCompiled - Called with the compiler's version.
 */
export async function compileProject(onCompiled: (version: string) => void): Promise<void> {
  const { project, chain } = useWorkbench.getState()
  useWorkbench.setState({ failure: undefined })
  const startedAt = performance.now()
  try {
    const output = await solidityCompiler.ask('compile', project)
    useWorkbench.setState({ compilation: { project, output, tookMs: performance.now() - startedAt } })
    if (output.build === undefined || chain === undefined) return
    onCompiled(output.build.compiler)
    useWorkbench.setState({ buildKept: await keepBuild(chain, output.build, false) })
  } catch (error) {
    if (!(error instanceof CompilerError)) throw error
    if (error.code !== 'cancelled') useWorkbench.setState({ failure: error })
  }
}
