// oxlint-disable-next-line import/default -- Vite makes the module that has it
import compilerWorkerUrl from '#compiler/compiler-worker.ts?worker&url'
import type { CompiledOf, CompilerTask, FromCompiler, RequestOf, ToCompiler } from '#compiler/messages.ts'
import { handleOf, type WorkerHandle, type WorkerLike } from '#transport/port/worker-handle.ts'
import { createObservable, type Observable } from './session/connection-state.ts'
import { trustedScriptUrl } from './trusted-script-url.ts'

/** Version of the compiler that the page has. A test compares it with the package's. */
export const SHIPPED_VERSION = '0.8.37'

/** Whether a build is of that compiler. @param compiler - As builds have it: `0.8.37+commit.f401782d`. */
export function isShipped(compiler: string): boolean {
  return compiler.split('+', 1)[0] === SHIPPED_VERSION
}

/** State of the compiler. */
export type CompilerState =
  | { readonly status: 'off' }
  | {
      readonly status: 'loading'
      /** The compiler, or a package of sources: in words. */
      readonly what: string
      readonly loadedBytes: number
      readonly totalBytes: number | undefined
    }
  | { readonly status: 'starting' }
  | { readonly status: 'compiling'; readonly version: string; readonly kept: boolean }
  | { readonly status: 'idle'; readonly version: string; readonly kept: boolean }

/**
 * Why there is no output. `network`: the compiler could not be loaded; `broken`: it crashed; `cancelled`: by `cancel`.
 */
export type CompilerFailure = 'network' | 'broken' | 'cancelled'

/** A compilation that ended without an output. Branch on `code`; `message` is for people. */
export class CompilerError extends Error {
  override readonly name = 'CompilerError'
  readonly code: CompilerFailure
  constructor(code: CompilerFailure, message: string) {
    super(message)
    this.code = code
  }
}

/** The Solidity compiler, in a worker that starts when needed and ends when idle. */
export interface SolidityCompiler {
  readonly state: Observable<CompilerState>
  /**
   * Asks for a task, as `CompilerRequests` of the worker's messages has them. Cancels a compilation in progress.
   *
   * @param request - Its texts, if it has some, are transferred.
   * @throws {CompilerError}
   */
  readonly ask: <Task extends CompilerTask>(task: Task, request: RequestOf<Task>) => Promise<CompiledOf<Task>>
  /** Ends the worker and the compilation in progress. */
  readonly cancel: () => void
}

interface Run {
  readonly message: ToCompiler
  readonly transfer: Transferable[]
  readonly resolve: (answer: never) => void
  readonly reject: (error: CompilerError) => void
}

/** Idle milliseconds after which the worker, which takes a hundred megabytes, is ended. */
const IDLE_MS = 120_000

/** @param startWorker - Replaces the worker in tests. */
export function createSolidityCompiler(startWorker: () => WorkerLike = startCompilerWorker): SolidityCompiler {
  const state = createObservable<CompilerState>({ status: 'off' })
  let worker: WorkerHandle<ToCompiler> | undefined
  let run: Run | undefined
  let runs = 0
  let idle: ReturnType<typeof setTimeout> | undefined
  /** About the compiler in the worker, once it is ready. */
  let about: { readonly version: string; readonly kept: boolean } | undefined

  function begin(): void {
    worker = handleOf(startWorker(), { message: receive, failed: (reason) => end('broken', reason) })
    state.set({ status: 'loading', what: 'the compiler', loadedBytes: 0, totalBytes: undefined })
  }
  function receive(message: FromCompiler): void {
    switch (message.kind) {
      case 'loading': {
        const { what, loadedBytes, totalBytes } = message
        return state.set({ status: 'loading', what, loadedBytes, totalBytes })
      }
      case 'starting':
        return state.set({ status: 'starting' })
      case 'ready':
        about = { version: message.version, kept: message.kept }
        return submit()
      case 'compiling':
        return about && state.set({ status: 'compiling', ...about })
      case 'answered': {
        const done = run
        if (done?.message.id !== message.id) return undefined
        run = undefined
        if (about) state.set({ status: 'idle', ...about })
        idle = setTimeout(cancel, IDLE_MS)
        return done.resolve(message.answer as never)
      }
      case 'failed':
        return end(message.reason, message.message)
    }
  }
  function submit(): void {
    if (!run || !about) return
    clearTimeout(idle)
    state.set({ status: 'compiling', ...about })
    worker?.post(run.message, run.transfer)
  }
  function end(code: CompilerFailure, message: string): void {
    clearTimeout(idle)
    const failed = run
    run = undefined
    worker?.stop()
    worker = undefined
    about = undefined
    state.set({ status: 'off' })
    failed?.reject(new CompilerError(code, message))
  }
  const cancel = () => end('cancelled', 'The compilation was cancelled.')

  return {
    state,
    ask(task, request) {
      if (run) cancel()
      return new Promise((resolve, reject) => {
        const message = { kind: task, id: ++runs, request } as ToCompiler
        run = { message, transfer: 'texts' in request ? [request.texts.buffer] : [], resolve, reject }
        if (worker) submit()
        else begin()
      })
    },
    cancel,
  }
}

function startCompilerWorker(): WorkerLike {
  return new Worker(trustedScriptUrl(compilerWorkerUrl), { type: 'module', name: 'compiler' })
}

/** The page's compiler: once it runs, it answers in a fraction of a second. */
export const solidityCompiler: SolidityCompiler = createSolidityCompiler()
