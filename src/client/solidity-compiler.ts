// oxlint-disable-next-line import/default -- Vite makes the module that has it
import compilerWorkerUrl from '#compiler/compiler-worker.ts?worker&url'
import type { CompileOutput, CompileRequest, FromCompiler, ToCompiler } from '#compiler/messages.ts'
import { createObservable, type Observable } from './session/connection-state.ts'
import { trustedScriptUrl } from './trusted-script-url.ts'

/** State of the compiler. */
export type CompilerState =
  | { readonly status: 'off' }
  | { readonly status: 'loading'; readonly loadedBytes: number; readonly totalBytes: number | undefined }
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
   * Compiles. Cancels a compilation in progress.
   *
   * @throws {CompilerError}
   */
  readonly compile: (request: CompileRequest) => Promise<CompileOutput>
  /** Ends the worker and the compilation in progress. */
  readonly cancel: () => void
}

/** The part of `Worker` used here. */
export interface CompilerWorkerLike {
  postMessage(message: ToCompiler): void
  onmessage: ((event: MessageEvent<FromCompiler>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  terminate(): void
}

interface Run {
  readonly id: number
  readonly request: CompileRequest
  readonly resolve: (output: CompileOutput) => void
  readonly reject: (error: CompilerError) => void
}

/** Idle milliseconds after which the worker, which takes a hundred megabytes, is ended. */
const IDLE_MS = 120_000

/** @param startWorker - Replaces the worker in tests. */
export function createSolidityCompiler(startWorker: () => CompilerWorkerLike = startCompilerWorker): SolidityCompiler {
  const state = createObservable<CompilerState>({ status: 'off' })
  let worker: CompilerWorkerLike | undefined
  let run: Run | undefined
  let runs = 0
  let idle: ReturnType<typeof setTimeout> | undefined

  function begin(): void {
    const started = startWorker()
    worker = started
    state.set({ status: 'loading', loadedBytes: 0, totalBytes: undefined })
    started.onmessage = ({ data }) => receive(data)
    started.onerror = (event) => {
      event.preventDefault()
      end('broken', event.message || 'its script could not be loaded')
    }
  }
  function receive(message: FromCompiler): void {
    switch (message.kind) {
      case 'loading':
        return state.set({ status: 'loading', loadedBytes: message.loadedBytes, totalBytes: message.totalBytes })
      case 'starting':
        return state.set({ status: 'starting' })
      case 'ready':
        state.set({ status: 'idle', version: message.version, kept: message.kept })
        return submit()
      case 'compiled': {
        const done = run
        if (done?.id !== message.id) return undefined
        run = undefined
        const standing = state.get()
        if (standing.status === 'compiling') state.set({ ...standing, status: 'idle' })
        idle = setTimeout(cancel, IDLE_MS)
        return done.resolve(message.output)
      }
      case 'failed':
        return end(message.reason, message.message)
    }
  }
  function submit(): void {
    const standing = state.get()
    if (!run || standing.status !== 'idle') return
    clearTimeout(idle)
    state.set({ ...standing, status: 'compiling' })
    worker?.postMessage({ kind: 'compile', id: run.id, request: run.request })
  }
  function end(code: CompilerFailure, message: string): void {
    clearTimeout(idle)
    const failed = run
    run = undefined
    worker?.terminate()
    worker = undefined
    state.set({ status: 'off' })
    failed?.reject(new CompilerError(code, message))
  }
  const cancel = () => end('cancelled', 'The compilation was cancelled.')

  return {
    state,
    compile: (request) => {
      if (run) cancel()
      return new Promise((resolve, reject) => {
        run = { id: ++runs, request, resolve, reject }
        if (worker) submit()
        else begin()
      })
    },
    cancel,
  }
}

function startCompilerWorker(): CompilerWorkerLike {
  return new Worker(trustedScriptUrl(compilerWorkerUrl), { type: 'module', name: 'compiler' })
}
