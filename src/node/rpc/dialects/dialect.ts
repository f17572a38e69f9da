import type { DialectFacts } from '#rpc-types/dialects.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { DialectName, NodeOptions } from '#rpc-types/node-options.ts'
import type { ChainSpec } from '../../spec/chain-spec.ts'
import type { Transaction } from '../../tx/transaction.ts'

/** A call that a dialect answers in its own way. */
export interface DialectCall<Context> {
  readonly args: readonly unknown[]
  readonly context: Context
  /** Runs the method as it is, with these arguments. */
  readonly run: (args: readonly unknown[]) => Promise<unknown>
}

/** A call that was refused. */
export interface RefusedCall {
  readonly method: string | undefined
  readonly params: unknown
}

/** A refusal in the words of the other node. */
export class DialectRefusal extends Error {
  override readonly name = 'DialectRefusal'
  readonly object: JsonRpcErrorObject

  constructor(object: JsonRpcErrorObject) {
    super(object.message)
    this.object = object
  }
}

/** How another node answers a method: with other arguments, another answer, or in a second attempt. */
export type MannerIn<Context> = (call: DialectCall<Context>) => Promise<unknown>

/** The ways of another node in which a chain answers. Without one nothing of this runs. */
export interface Dialect<Context> extends DialectFacts {
  readonly name: DialectName
  /**
   * The options of a chain that takes on the dialect: what is given wins.
   *
   * @param isStored - Whether the chain goes on, which keeps the options of its start.
   */
  withOptions(given: NodeOptions, isStored: boolean): NodeOptions
  /** What a chain is, but for the rules that the other node does not have. */
  withRules(spec: ChainSpec): ChainSpec
  /** Methods that the other node does not have, so that clients take the ways that they take there. */
  lacks(method: string, context: Context): boolean
  readonly manners: { readonly [Name in MethodName]?: MannerIn<Context> }
  /** @throws {DialectRefusal} If it would not take a transaction into the pool that this node takes. */
  admit(tx: Transaction, context: Context): void
  /** Another node's code and words for a refusal; `undefined` for the usual ones. `call` is as the caller sent it. */
  refuse(error: unknown, call: RefusedCall, context: Context): JsonRpcErrorObject | undefined
}
