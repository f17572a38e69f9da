import { bytesToBigInt, concatBytes } from '#primitives/bytes.ts'
import { type Address, type Hash, hexToBytes, toWord } from '#primitives/hex.ts'
import { runCall } from '../../../evm/calls/execute-call.ts'
import { separateCodes } from '../../../evm/calls/state-override.ts'
import { OP } from '../../../evm/opcodes.ts'
import { stackWord } from '../../../evm/trace-step.ts'
import type { TraceStep, TransactionTracer } from '../../../evm/tracer.ts'
import { setSlot } from '../../../state/edit-account.ts'
import { WorldState } from '../../../state/world-state.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { callArgs } from '../../calls/call-params.ts'
import { toCallRequest } from '../../calls/call-request.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { address } from '../../params/hex-params.ts'
import { boundedTrace } from '../../tracers/bounded-trace.ts'
import { answeringNull } from './answering.ts'
import { wei } from './anvil-params.ts'

const BALANCE_OF = '0x70a08231'
const ALLOWANCE = '0xdd62ed3e'
/** Slots that are tried: a token reads a few. */
const MAX_SLOTS = 32
/** A value that no token has by chance, and that is small enough for any. */
const PROBE = 748_391n

interface Slot {
  readonly account: Address
  readonly slot: Hash
}

/** ERC-20 tokens as a development node can set them. */
export const ANVIL_ERC20_METHODS = {
  /** An account's balance of a token. */
  anvil_dealERC20: defineMethod(
    [address, address, wei],
    answeringNull((context: CallerContext, account: Address, token: Address, amount: bigint) =>
      setAnswer(context, token, 'balance', dataOf(BALANCE_OF, [account]), amount),
    ),
    { queue: 'trace' },
  ),

  /** What a spender may take of an owner's tokens. */
  anvil_setERC20Allowance: defineMethod(
    [address, address, address, wei],
    answeringNull((context: CallerContext, owner: Address, spender: Address, token: Address, amount: bigint) =>
      setAnswer(context, token, 'allowance', dataOf(ALLOWANCE, [owner, spender]), amount),
    ),
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>

function dataOf(selector: typeof BALANCE_OF | typeof ALLOWANCE, addresses: readonly Address[]): Uint8Array {
  return concatBytes(hexToBytes(selector), ...addresses.map((each) => hexToBytes(toWord(BigInt(each)))))
}

/** Sets the slot that holds the token's answer. @throws {RpcRefusedError} If no slot holds it unchanged. */
async function setAnswer(
  context: CallerContext,
  token: Address,
  what: string,
  input: Uint8Array,
  value: bigint,
): Promise<void> {
  const found = await boundedTrace(context, undefined, (guard) => findSlot(context, token, input, value, guard))
  if (!found) {
    const hint = `if it has one, set it with anvil_setStorageAt`
    throw new RpcRefusedError('server', `no slot of ${token} that holds the ${what} is found: ${hint}`)
  }
  await context.control.edit((state) => write(state, found, value), true)
}

/**
 * The slot whose value the token returns unchanged. Each slot that it reads is tried with two values on a copy of the
 * state, since a single answer may come from many slots.
 */
async function findSlot(
  context: CallerContext,
  token: Address,
  input: Uint8Array,
  value: bigint,
  guard: ExecutionGuard,
): Promise<Slot | undefined> {
  const { runner } = context
  const block = context.chain.pending()
  const env = context.environment(block)
  const request = toCallRequest({ ...callArgs.parse({ to: token }), input }, { ...runner, baseFee: env.baseFee })
  const answer = async (slot?: Slot, slotValue = 0n, tracer?: TransactionTracer) => {
    const state = new WorldState(separateCodes(block.state))
    state.beginTransaction()
    if (slot) write(state, slot, slotValue)
    const { failure, output } = await runCall(runner, request, state, env, runner.limits.gasCap, guard, tracer)
    return failure || output.length < 32 ? undefined : bytesToBigInt(output.subarray(0, 32))
  }
  const slots = new Map<string, Slot>()
  await answer(undefined, undefined, {
    needsStep: (opcode) => opcode === OP.SLOAD,
    withoutMemory: true,
    withoutReturnData: true,
    step(step: TraceStep) {
      if (step.fails || slots.size >= MAX_SLOTS) return
      const slot = toWord(stackWord(step, 0))
      slots.set(step.address + slot, { account: step.address, slot })
    },
  })
  for (const slot of slots.values()) {
    if ((await answer(slot, PROBE)) === PROBE && (await answer(slot, value)) === value) return slot
  }
  return undefined
}

function write(state: WorldState, { account, slot }: Slot, value: bigint): void {
  setSlot(state, account, slot, hexToBytes(toWord(value)))
}
