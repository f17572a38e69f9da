import type { Clock } from '#primitives/clock.ts'
import type { Emitter } from '#primitives/emitter.ts'
import type { Hash } from '#primitives/hex.ts'
import type { RpcStackTrace } from '#rpc-types/stack-trace.ts'
import { type CallContext, CallFailedError, type CallRequest } from '../../evm/calls/call.ts'
import type { IncludedTransaction, PartialBlock } from '../../payload/block.ts'
import type { ChainEvents, ConsoleEvent } from '../../sequencer/events.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { createPacer } from '../../turns/pacer.ts'
import { toErrorObject } from '../errors.ts'
import type { ExplainDeps } from './explain-execution.ts'
import type { BuildsOfNode } from './known-builds.ts'

/** Transactions of partial blocks that wait to be explained; the log has the number of the others. */
const MAX_WAITING = 16
/** Explained transactions that are remembered, since automine asks for what the partial block has asked for already. */
const MAX_REMEMBERED = 4 * MAX_WAITING
/** Milliseconds for which an answer waits for explanations of others before its own begins. */
const MAX_WAIT_MS = 500

/** Why something failed, once it is known. */
interface Explanation {
  readonly result: Promise<RpcStackTrace | undefined>
  hasBegun: boolean
  /** Nobody waits for it any more, so it need not begin. */
  isDropped: boolean
}

/** Explanations that are made one after the other, as each keeps a trace. */
interface Lane {
  last: Promise<unknown>
}

interface FailuresDeps extends ExplainDeps {
  readonly clock: Clock
  readonly events: Emitter<ChainEvents>
  readonly builds: BuildsOfNode
  readonly log: (level: 'info' | 'warn', message: string, details?: unknown) => void
}

/**
 * Tells of executions that failed: what they logged, and where in the sources they failed. Without known builds nothing
 * is executed again and nothing is loaded.
 */
export class Failures {
  readonly #deps: FailuresDeps
  /** Calls do not wait for transactions. */
  readonly #calls: Lane = { last: Promise.resolve() }
  readonly #transactions: Lane = { last: Promise.resolve() }
  /** The newest explanations. One that a reorg has executed once more is another object. */
  readonly #ofTransactions = new Map<IncludedTransaction, Explanation>()
  /** Transactions of partial blocks that wait, and the last of them. */
  #waiting = 0
  #lastOfPartial: Promise<unknown> = Promise.resolve()

  constructor(deps: FailuresDeps) {
    this.#deps = deps
  }

  /**
   * Makes a call.
   *
   * @throws {CallFailedError} As `make` does, with its stack trace where one is known.
   */
  async ofCall<Result>(
    method: NonNullable<ConsoleEvent['method']>,
    request: CallRequest,
    context: CallContext,
    guard: ExecutionGuard,
    make: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await make()
    } catch (error) {
      if (!(error instanceof CallFailedError)) throw error
      const { events, runner, builds } = this.#deps
      const { code, message, output, consoleCalls } = error
      if (consoleCalls) {
        const { from, to } = request
        const words = toErrorObject(error)?.message ?? message
        const about = { transactionHash: null, method, from, to, blockNumber: context.env.number, error: words }
        events.emit('console', { ...about, calls: consoleCalls })
      }
      if (builds.isEmpty || (code !== 'reverted' && code !== 'vm-error')) throw error
      const explanation = this.#explain(this.#calls, method, guard, async () => {
        const { explainCall } = await import('./explain-execution.ts')
        return explainCall(runner, request, context, guard, builds)
      })
      const stack = await this.#wait(explanation, method, () => {
        explanation.isDropped = true
      })
      throw stack ? new CallFailedError(code, message, output, consoleCalls, stack) : error
    }
  }

  /** Where a mined transaction failed; `undefined` if it did not, or that is not known, or not known in time. */
  async ofTransaction(hash: Hash, guard: ExecutionGuard): Promise<RpcStackTrace | undefined> {
    const explanation = this.#ofTransaction(hash, guard)
    return explanation && this.#wait(explanation, `transaction ${hash}`)
  }

  #ofTransaction(hash: Hash, guard: ExecutionGuard): Explanation | undefined {
    const { builds, chain } = this.#deps
    const found = chain.findTransaction(hash)
    if (builds.isEmpty || !found) return undefined
    const known = this.#ofTransactions.get(found.included)
    if (known) return known
    const explanation = this.#explain(this.#transactions, `transaction ${hash}`, guard, async () => {
      const { explainTransaction } = await import('./explain-execution.ts')
      return explainTransaction(this.#deps, hash, guard, builds)
    })
    this.#ofTransactions.set(found.included, explanation)
    for (const old of [...this.#ofTransactions.keys()].slice(0, -MAX_REMEMBERED)) this.#ofTransactions.delete(old)
    return explanation
  }

  /** Explains the new transactions of a partial block that failed, for the log. Its tick does not wait for that. */
  ofPartial({ header, transactions, firstNew }: PartialBlock): void {
    const { builds, clock, log, runner } = this.#deps
    if (builds.isEmpty) return
    const failed = transactions.slice(firstNew).filter(({ receipt }) => receipt.status === 0)
    const taken = failed.slice(0, MAX_WAITING - this.#waiting)
    this.#waiting += taken.length
    for (const { tx } of taken) {
      this.#lastOfPartial = this.#lastOfPartial.then(async () => {
        await this.#ofTransaction(tx.hash, createPacer(clock, runner.limits.timeoutMs))?.result
        this.#waiting--
      })
    }
    const left = failed.length - taken.length
    if (left > 0)
      log('info', `${left} more transactions of block ${header.number} failed: too many at once to say where`)
  }

  /**
   * Explains something after the others of its lane. An error must not become another one because it cannot be explained:
   * then the log says why.
   */
  #explain(
    lane: Lane,
    what: string,
    guard: ExecutionGuard,
    explain: () => Promise<RpcStackTrace | undefined>,
  ): Explanation {
    const { log } = this.#deps
    const told = async (): Promise<RpcStackTrace | undefined> => {
      if (explanation.isDropped) return undefined
      explanation.hasBegun = true
      try {
        await guard.checkpoint()
        const stack = await explain()
        if (stack) {
          const { printedStack } = await import('./stack-trace.ts')
          log('info', `${what} failed: ${printedStack(stack)}`)
        }
        return stack
      } catch (error) {
        log('warn', `the failure of ${what} could not be explained`, error)
        return undefined
      }
    }
    const result = lane.last.then(told)
    lane.last = result
    const explanation: Explanation = { result, hasBegun: false, isDropped: false }
    return explanation
  }

  /**
   * An explanation that somebody waits for with an answer; `undefined` if those before it take too long.
   *
   * @param drop - Called if it is not waited for any more.
   */
  #wait(explanation: Explanation, what: string, drop: () => void = () => {}): Promise<RpcStackTrace | undefined> {
    const { clock, log } = this.#deps
    return new Promise((resolve) => {
      const cancel = clock.schedule(() => {
        if (explanation.hasBegun) return
        drop()
        log('info', `${what} failed: too many failures at once to say where in time`)
        resolve(undefined)
      }, MAX_WAIT_MS)
      void explanation.result.then((stack) => {
        cancel()
        resolve(stack)
      })
    })
  }
}
