import { type Address, bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { RpcPrestate } from '#rpc-types/methods/debug.ts'
import type { Block } from '../../../payload/block.ts'
import { encodeHeader } from '../../../payload/header.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { isImpersonated } from '../../../tx/transaction.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { blockRef, findBlock } from '../../params/block-params.ts'
import { boundedTrace } from '../../tracers/bounded-trace.ts'
import { createPrestateTracer } from '../../tracers/prestate-tracer.ts'
import { replayedBlock, traceIncluded } from '../../tracers/replay.ts'
import { TraceBudget } from '../../tracers/trace-budget.ts'

/** All accounts and slots, without their codes. */
const EVERYTHING = { diffMode: false, disableCode: true, disableStorage: false, includeEmpty: true }

/** What a block's execution needs of the state before it. */
export const DEBUG_WITNESS_METHODS = {
  /** Found by executing the block with nothing but what the answer has; `pending` is the live block. */
  debug_executionWitness: defineMethod(
    [blockRef],
    (context, ref) => {
      const block = findBlock(context, ref)
      if (!block) return refuse(`block ${typeof ref === 'object' ? ref.hash : ref} not found`)
      requireStateless(context, block)
      return boundedTrace(context, undefined, (guard) => witnessOf(context, block, guard))
    },
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>

/** @throws {RpcRefusedError} If nobody could execute the block by its RLP and a witness. */
function requireStateless({ fork }: CallerContext, { header, edits, transactions }: Block): void {
  if (header.number === 0) refuse('genesis was not executed, and needs no witness')
  if (fork) refuse('a fork has no witnesses: its first blocks follow a header in which its base fee rule was written')
  if (edits.length > 0) {
    refuse(`block ${header.number} has no witness: the state was edited in it, which its RLP does not tell`)
  }
  const unsigned = transactions.find(({ tx }) => isImpersonated(tx))
  if (unsigned) {
    refuse(
      `block ${header.number} has no witness: transaction ${unsigned.tx.hash} is of an impersonated account, unsigned`,
    )
  }
}

async function witnessOf(context: CallerContext, block: Block, guard: ExecutionGuard) {
  const { executionWitness } = await import('../../../fork/execution-witness.ts')
  const budget = new TraceBudget(context.runner.limits)
  const traced = await traceIncluded(context, { block }, guard, () => createPrestateTracer(EVERYTHING, budget))
  const expected = traced.flatMap(({ tracer }) =>
    Object.entries(tracer.result() as RpcPrestate).map(
      ([address, { storage = {} }]) => [address as Address, Object.keys(storage) as Hash[]] as const,
    ),
  )
  const { nodes, codes, used, oldest } = await executionWitness(
    { ...context.runner, guard, expected, spend: (characters) => budget.spend(characters) },
    replayedBlock(context, block),
  )
  const headers: Hex[] = []
  for (let number = oldest; number < block.header.number; number++) {
    const ancestor = context.chain.blockByNumber(number)
    invariant(ancestor, 'a block has all those before it')
    headers.push(bytesToHex(encodeHeader(ancestor.header)))
  }
  const keys = [...used].flatMap(([address, slots]) => [address, ...slots])
  return { state: [...nodes], codes: [...codes], keys: [...new Set(keys)], headers }
}

function refuse(message: string): never {
  throw new RpcRefusedError('server', message)
}
