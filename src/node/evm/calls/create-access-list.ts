import { type Address, type Hash, toWord } from '#primitives/hex.ts'
import { AUTHORIZATION_GAS } from '../../spec/gas-schedule.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { AccessListItem } from '../../tx/transaction.ts'
import { createdAddress } from '../contract-address.ts'
import type { Execution } from '../message.ts'
import { callsAccount, looksAtAccount, usesSlot, usesState } from '../opcodes.ts'
import { stackAddress, stackWord } from '../trace-step.ts'
import type { TraceStep, TransactionTracer } from '../tracer.ts'
import { recoverAuthority } from '../transactions/authorization.ts'
import { type CallContext, CallFailedError, type CallRequest, rewordUnexecuted } from './call.ts'
import { type CallRunner, capGas, tryCall, withTimeoutAsFailure } from './execute-call.ts'

export interface CreatedAccessList {
  /** Sorted by address and slot. */
  readonly accessList: readonly AccessListItem[]
  /** Gas of the call with that list. */
  readonly gasUsed: bigint
  /** Why the call fails with it; `undefined` on success. */
  readonly failure: string | undefined
}

type Accesses = Map<Address, Set<Hash>>

/**
 * The best access list for a call. Executes it repeatedly with the list found so far, until nothing is missing.
 *
 * The sender, the target, precompiles and authorities are warm anyway, so only their slots are listed, as in geth.
 *
 * @param hashOf - Hash of the call as an unsigned transaction, for the error of a call that no block would accept.
 * @throws {CallFailedError} If the call cannot be executed or takes too long.
 */
export async function createAccessList(
  runner: CallRunner,
  request: CallRequest,
  context: CallContext,
  guard: ExecutionGuard,
  hashOf: (accessList: readonly AccessListItem[], gas: bigint) => Hash,
): Promise<CreatedAccessList> {
  const gas = capGas(request.gas, runner.limits.gasCap)
  if (BigInt(request.authorizationList.length) > gas / AUTHORIZATION_GAS) {
    throw new CallFailedError('gas-too-low', 'insufficient gas to process all authorizations')
  }
  const warm = warmAnyway(runner, request, context)
  let accesses = accessesOf(request.accessList, warm)
  for (;;) {
    const accessList = toAccessList(accesses)
    const found = accessesOf(accessList, warm)
    const tracer: TransactionTracer = {
      needsStep: usesState,
      onlyNewUses: true,
      withoutMemory: true,
      withoutReturnData: true,
      step: (step) => note(step, found, warm),
    }
    const execution = await attempt(
      () => tryCall(runner, { ...request, accessList }, context, gas, guard, tracer),
      () => hashOf(accessList, gas),
    )
    if (sameAccesses(found, accesses)) {
      return { accessList, gasUsed: execution.gasUsed, failure: execution.failure?.message }
    }
    accesses = found
    await withTimeoutAsFailure(() => guard.checkpoint())
  }
}

/** Uses geth's wording if the call was not executed. */
async function attempt(work: () => Promise<Execution>, hash: () => Hash): Promise<Execution> {
  try {
    return await work()
  } catch (error) {
    throw rewordUnexecuted(error, (message) => `failed to apply transaction: ${hash()} err: ${message}`)
  }
}

function warmAnyway(
  { engine, chainId }: CallRunner,
  { from, to, authorizationList }: CallRequest,
  { state }: CallContext,
): ReadonlySet<Address> {
  const warm = new Set([from, to ?? createdAddress(from, state.account(from)?.nonce ?? 0n), ...engine.precompiles])
  for (const authorization of authorizationList) {
    if (authorization.chainId !== 0n && authorization.chainId !== BigInt(chainId)) continue
    const authority = recoverAuthority(authorization)
    if (authority) warm.add(authority)
  }
  return warm
}

function accessesOf(list: readonly AccessListItem[], warm: ReadonlySet<Address>): Accesses {
  const accesses: Accesses = new Map()
  for (const { address, storageKeys } of list) {
    if (warm.has(address)) continue
    accesses.set(address, new Set([...(accesses.get(address) ?? []), ...storageKeys]))
  }
  return accesses
}

function note(step: TraceStep, accesses: Accesses, warm: ReadonlySet<Address>): void {
  const { opcode, stack } = step
  if (usesSlot(opcode) && stack.length >= 1) {
    addressIn(accesses, step.address).add(toWord(stackWord(step, 0)))
  } else if (looksAtAccount(opcode) && stack.length >= 1) {
    const account = stackAddress(step, 0)
    if (!warm.has(account)) addressIn(accesses, account)
  } else if (callsAccount(opcode) && stack.length >= 5) {
    const target = stackAddress(step, 1)
    if (!warm.has(target)) addressIn(accesses, target)
  }
}

function addressIn(accesses: Accesses, address: Address): Set<Hash> {
  const slots = accesses.get(address) ?? new Set()
  accesses.set(address, slots)
  return slots
}

function sameAccesses(a: Accesses, b: Accesses): boolean {
  if (a.size !== b.size) return false
  for (const [address, slots] of a) {
    const others = b.get(address)
    if (others?.size !== slots.size) return false
    for (const slot of slots) if (!others.has(slot)) return false
  }
  return true
}

function toAccessList(accesses: Accesses): readonly AccessListItem[] {
  return [...accesses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([address, slots]) => ({ address, storageKeys: [...slots].toSorted() }))
}
