import type { DialectFacts, DialectName } from '#rpc-types/dialects.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { Transaction } from '../../tx/transaction.ts'
import type { CallerContext } from '../define-method.ts'

/** A call that a dialect answers in its own way. */
export interface DialectCall {
  readonly args: readonly unknown[]
  readonly context: CallerContext
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
export type Manner = (call: DialectCall) => Promise<unknown>

/** The ways of another node in which a chain answers. Without one nothing of this runs. */
export interface Dialect extends DialectFacts {
  readonly name: DialectName
  /**
   * The options of a chain that takes on the dialect: what is given wins.
   *
   * @param isStored - Whether the chain goes on, which keeps the options of its start.
   */
  withOptions(given: NodeOptions, isStored: boolean): NodeOptions
  /** Methods that the other node does not have, so that clients take the ways that they take there. */
  lacks(method: string): boolean
  readonly manners: { readonly [Name in MethodName]?: Manner }
  /** @throws {DialectRefusal} If it would not take a transaction into the pool that this node takes. */
  admit(tx: Transaction, context: CallerContext): void
  /** Its code and words for a refusal; `undefined` for the usual ones. `call` is as the caller sent it. */
  refuse(error: unknown, call: RefusedCall, context: CallerContext): JsonRpcErrorObject | undefined
}

/** The dialect that the options ask for. */
export async function openDialect({ as }: NodeOptions): Promise<Dialect | undefined> {
  switch (as) {
    case 'anvil':
      return (await import('./anvil.ts')).ANVIL
    case 'hardhat':
      return (await import('./hardhat.ts')).HARDHAT
    default:
      // Any other value is refused with the other options.
      return undefined
  }
}
