import type { RpcTrace } from '#rpc-types/methods/debug.ts'
import { RpcRefusedError } from '../errors.ts'
import { createCallTracer } from './call-tracer.ts'
import { createPrestateTracer } from './prestate-tracer.ts'
import type { ResultTracer } from './result-tracer.ts'
import { createStructLogger } from './struct-logger.ts'
import type { TraceBudget } from './trace-budget.ts'
import type { TraceConfig } from './trace-config-params.ts'

/**
 * The tracer that was asked for, to be used for one transaction.
 *
 * @param firstLogIndex - Logs of the block that come before.
 * @param budget - The same for all tracers of a request.
 * @throws {RpcRefusedError} `server`, if there is no such tracer.
 */
export function createTracer(config: TraceConfig, firstLogIndex: number, budget: TraceBudget): ResultTracer<RpcTrace> {
  const isOn = (name: string) => config.tracerConfig.has(name)
  switch (config.tracer) {
    case undefined:
      return createStructLogger(config, budget)
    case 'callTracer':
      return createCallTracer({ onlyTopCall: isOn('onlyTopCall'), withLog: isOn('withLog') }, firstLogIndex, budget)
    case 'prestateTracer':
      if (isOn('diffMode') && isOn('includeEmpty')) {
        throw new RpcRefusedError('server', 'cannot use diffMode with includeEmpty')
      }
      return createPrestateTracer(
        {
          diffMode: isOn('diffMode'),
          disableCode: isOn('disableCode'),
          disableStorage: isOn('disableStorage'),
          includeEmpty: isOn('includeEmpty'),
        },
        budget,
      )
    default:
      throw new RpcRefusedError('server', unknownTracer(config.tracer))
  }
}

/** Geth takes every other name for the source of a tracer in JavaScript, and this is then what it says of a name. */
function unknownTracer(name: string): string {
  if (!/^[\w$]+$/.test(name)) return 'JavaScript tracers are not supported'
  return `ReferenceError: ${name} is not defined at <eval>:1:2(0)`
}
