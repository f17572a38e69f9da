import type { Caller, LatestReading, NewHeads } from '#rpc-types/connection.ts'
import type { MethodName, ParamsOf, ResultOf } from '#rpc-types/methods.ts'
import type { Block } from '../payload/block.ts'
import type { NodeContext } from './context.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { FilterStore } from './logs/filter-store.ts'
import { type Param, readParams } from './params/param.ts'
import type { InclusionWatch } from './sending/inclusion-watch.ts'
import type { CallSubscriptions } from './subscriptions/connection-subscriptions.ts'
import type { WorkKind, WorkQueues } from './work-queues.ts'

/** The node and the shared state of the RPC layer. */
export interface EndpointContext extends NodeContext {
  readonly filters: FilterStore
  readonly inclusions: InclusionWatch
  /** The budgets for work and memory that all callers share. */
  readonly work: WorkQueues
  /** The ways of another node, which the chain has taken on. */
  readonly dialect: Dialect<CallerContext> | undefined
  /** The names of all methods, aliases included. */
  readonly methodNames: readonly string[]
}

/** The node plus the caller's subscriptions. */
export interface CallerContext extends EndpointContext {
  /** `undefined` on a connection that cannot push. */
  readonly subscriptions: CallSubscriptions | undefined
  /** The caller, and whether it still waits for the answer. */
  readonly caller: Caller
  /** What `latest` means on this connection. */
  readonly latest: LatestReading
  /** What `newHeads` sends on this connection; default `sealed`. */
  readonly newHeads?: NewHeads | undefined
  /** The block `pending`, where it is not the live one: what a seal would make now, while blocks are made on request. */
  readonly preview?: Block | undefined
}

/** What the dispatcher has to know of a method before it runs. */
export interface MethodOptions {
  /** The queue for its calls; without one they run at once. */
  readonly queue?: WorkKind
  /** Whether `params` may be an object, which is then the only argument. */
  readonly takesObject?: true
  /** Whether it reads the block `pending` although no argument names it, or not even if one does. */
  readonly readsPending?: boolean
  /** Whether it seals the blocks that its transactions are for, so that automine leaves them alone. */
  readonly sealsItself?: true
}

/** A JSON-RPC method that can be called with any parameters. */
export interface Method<Name extends MethodName = MethodName> extends MethodOptions {
  /**
   * Parses the arguments and runs the method.
   *
   * @throws {RpcRefusedError} `invalid-params` if an argument is missing, has the wrong type, or is one too many.
   */
  run(context: CallerContext, params: readonly unknown[]): ResultOf<Name> | Promise<ResultOf<Name>>
}

/** Every method of the contract by name. A record of some of them `satisfies Partial<MethodTable>`. */
export type MethodTable = { readonly [Name in MethodName]: Method<Name> }

/** One value per parameter of the method, including optional ones. */
type ArgsOf<Name extends MethodName> = { readonly [Index in keyof Required<ParamsOf<Name>>]: unknown }

type ParamList = readonly Param<unknown>[]

/**
 * Connects a method of `RpcMethods` to its parameters and its handler. Its name is its key in a record of methods; by
 * that name the contract types what the handler takes and returns.
 *
 * @param handler - Takes the parsed arguments; returns plain JSON.
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
