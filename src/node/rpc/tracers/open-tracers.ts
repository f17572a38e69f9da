import type { RpcTrace } from '#rpc-types/methods/debug.ts'
import type { Engine } from '../../evm/engine.ts'
import { createEngine } from '../../evm/engines/create-engine.ts'
import type { NodeContext } from '../context.ts'
import { createTracer, type TraceSubject } from './create-tracer.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'
import { isScript, type TraceConfig } from './trace-config-params.ts'

/** Makes the tracers of a request. */
interface OpenedTracers {
  /** What to run on. */
  readonly runner: NodeContext['runner']
  create(subject: TraceSubject, budget: TraceBudget): ResultTracer<RpcTrace>
}

const references = new WeakMap<Engine, Promise<Engine>>()

/**
 * Prepares the tracers that a request asks for. For one in JavaScript that is what the host has for them, and the
 * reference engine, which writes each change into the state with its step.
 */
export async function openTracers(
  { runner, scripts, spec }: Pick<NodeContext, 'runner' | 'scripts' | 'spec'>,
  config: TraceConfig,
): Promise<OpenedTracers> {
  const { tracer: source } = config
  if (!scripts || !isScript(source)) {
    return { runner, create: (subject, budget) => createTracer(config, subject, budget) }
  }
  const tracers = await scripts()
  const script = { source, config: config.scriptConfig }
  return {
    runner: { ...runner, engine: await referenceOf(runner.engine, spec) },
    create: (subject, budget) => tracers.create(script, subject, budget),
  }
}

function referenceOf(engine: Engine, { chainId, impersonatedSignatures }: NodeContext['spec']): Promise<Engine> {
  const { hardfork, codeSizeLimit, rollup } = engine
  const known = references.get(engine)
  const reference = known ?? createEngine(chainId, 'reference', hardfork, codeSizeLimit, impersonatedSignatures, rollup)
  references.set(engine, reference)
  return reference
}
