import type { RpcTrace } from '#rpc-types/methods/debug.ts'
import type { TraceSubject } from './create-tracer.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'

/** A tracer in JavaScript, as a caller gives it. */
export interface TracerScript {
  /** An expression that gives an object with `result`, `fault`, and others. */
  readonly source: string
  /** JSON for its `setup`. */
  readonly config: string
}

/**
 * Makes tracers in JavaScript for one request. Their engine has to write each change into the state with its step, which
 * scripts may ask.
 */
export interface ScriptTracers {
  create(script: TracerScript, subject: TraceSubject, budget: TraceBudget): ResultTracer<RpcTrace>
}
