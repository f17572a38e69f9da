import type { Caller, LatestReading } from '#rpc-types/connection.ts'
import type { MethodName, ParamsOf, ResultOf } from '#rpc-types/methods.ts'
import type { NodeContext } from './context.ts'
import type { FilterStore } from './logs/filter-store.ts'
import { type Param, readParams } from './params/param.ts'
import type { InclusionWatch } from './sending/inclusion-watch.ts'
import type { CallSubscriptions } from './subscriptions/connection-subscriptions.ts'
import type { WorkKind, WorkQueues } from './work-queues.ts'

/** The node, and the state of the RPC layer that all callers share. */
export interface EndpointContext extends NodeContext {
  readonly filters: FilterStore
  readonly inclusions: InclusionWatch
  /** The budgets for work and memory that all callers share. */
  readonly work: WorkQueues
  /** The names of all methods, aliases included. */
  readonly methodNames: readonly string[]
}

/** The node plus the caller's subscriptions. */
export interface CallerContext extends EndpointContext {
  /** `undefined` on a connection that cannot push. */
  readonly subscriptions: CallSubscriptions | undefined
  /** Whether anybody still waits for the answer. */
  readonly caller: Caller
  /** The state that `latest` names on this connection. */
  readonly latest: LatestReading
}

/** What the dispatcher has to know of a method before it runs. */
export interface MethodOptions {
  /** The queue in which a call waits for its turn; without one it runs at once. */
  readonly queue?: WorkKind
  /** Whether `params` may be an object, which then is the one argument. */
  readonly takesObject?: true
  /** Whether it seals the blocks that its transactions are for, so that automine leaves them alone. */
  readonly sealsItself?: true
}

/** A JSON-RPC method, ready to be called with whatever a caller sent. */
export interface Method<Name extends MethodName = MethodName> extends MethodOptions {
  /**
   * Reads the arguments and answers.
   *
   * @throws {RpcRefusedError} `invalid-params` if an argument is missing, ill-typed or one too many.
   */
  run(context: CallerContext, params: readonly unknown[]): ResultOf<Name> | Promise<ResultOf<Name>>
}

/** Every method of the contract by its name. A record of some of them `satisfies Partial<MethodTable>`. */
export type MethodTable = { readonly [Name in MethodName]: Method<Name> }

/** As many values as the method has parameters, optional ones included. */
type ArgsOf<Name extends MethodName> = { readonly [Index in keyof Required<ParamsOf<Name>>]: unknown }

type ParamList = readonly Param<unknown>[]

/**
 * Ties a method of `RpcMethods` to its parameters and its handler. Its name is the key under which it stands in a record of
 * methods; the contract says by that name what the handler must take and answer.
 *
 * @param handler - Gets the arguments as the parameters read them; answers plain JSON.
 */
export function defineMethod<Name extends MethodName, Values extends ArgsOf<Name> & readonly unknown[]>(
  params: { readonly [Index in keyof Values]: Param<Values[Index]> },
  handler: (context: CallerContext, ...args: Values) => ResultOf<Name> | Promise<ResultOf<Name>>,
  options?: MethodOptions,
): Method<Name> {
  return {
    ...options,
    run: (context, values) => handler(context, ...(readParams(params as ParamList, values) as unknown as Values)),
  }
}
