import type { TransactionTracer } from '../../evm/tracer.ts'

/** A tracer of one transaction and what it found, in the form that callers see. */
export interface ResultTracer<Result> extends TransactionTracer {
  /** To be asked for when the transaction is done. */
  result(): Result
}
