import type { TransactionTracer } from '../../evm/tracer.ts'

/** A tracer of one transaction and its result, in the form for callers. */
export interface ResultTracer<Result> extends TransactionTracer {
  /** The result; call this when the transaction is done. */
  result(): Result
}
