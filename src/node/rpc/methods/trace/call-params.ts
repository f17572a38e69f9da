import { type CallArgs, callArgs } from '../../calls/call-params.ts'
import { cannotUnmarshal, jsonType, type Param, ParamError } from '../../params/param.ts'
import { traceTypes } from './trace-params.ts'

/** Most calls in sequence. */
export const MAX_CALLS_IN_SEQUENCE = 256

/** A call, and what of its execution is wanted. */
export interface TracedCall {
  readonly args: CallArgs
  readonly types: ReadonlySet<string>
}

/** Pairs of calls and of what is wanted of them. */
export const tracedCalls: Param<readonly TracedCall[]> = {
  parse(value) {
    if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), 'value of type [](call, []string)')
    if (value.length > MAX_CALLS_IN_SEQUENCE) {
      throw new ParamError(`too many calls, want at most ${MAX_CALLS_IN_SEQUENCE}`)
    }
    return value.map((pair: unknown) => {
      if (!Array.isArray(pair) || pair.length !== 2) throw new ParamError('not a call and a list of trace types')
      const [args, types] = pair as readonly unknown[]
      return { args: callArgs.parse(args), types: traceTypes.parse(types) }
    })
  },
}
