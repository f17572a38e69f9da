import type { Address, Hash } from '#primitives/hex.ts'
import { EMPTY_TRIE_ROOT } from '../state/state-reader.ts'
import { ForkError } from './fork-error.ts'
import { NoProofError, ProvenSource } from './proven-source.ts'
import type { SourceDeps } from './state-source.ts'
import { TrustedSource } from './trusted-source.ts'

/**
 * Fetches the first accounts, with proofs if the endpoint has any.
 *
 * @param accounts - With slots of each.
 * @returns The source, and why it is not proven.
 * @throws {ForkError} If neither can be had, or a proof is wrong.
 */
export async function openSource(
  deps: SourceDeps,
  accounts: ReadonlyMap<Address, readonly Hash[]>,
): Promise<readonly [ProvenSource | TrustedSource, string | undefined]> {
  const proven = new ProvenSource(deps)
  const outcomes = await Promise.allSettled(
    [...accounts].map(([address, slots]) => proven.fetchAccount(address, slots)),
  )
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected')
  const [failure] = failures
  if (!failure) return [proven, undefined]
  // An endpoint that has proven anything has proofs; then an error is an error.
  const isWithout =
    failures.length === outcomes.length && failures.every(({ reason }) => reason instanceof NoProofError)
  if (!isWithout) throw deps.header.header.stateRoot === EMPTY_TRIE_ROOT ? ofEmptyState(failure.reason) : failure.reason
  const trusted = new TrustedSource(deps)
  // What system calls write is not read from it.
  const told = await Promise.allSettled([...accounts.keys()].map((address) => trusted.fetchAccount(address, [])))
  for (const outcome of told) if (outcome.status === 'rejected') throw outcome.reason
  return [trusted, (failure.reason as NoProofError).answered?.message]
}

/** Says why proofs do not fit the header of anvil's block 0. */
function ofEmptyState(failure: unknown): unknown {
  if (!(failure instanceof ForkError)) return failure
  const advice = 'its header says that there are no accounts, as that of anvil’s block 0 does: seal a block there first'
  return new ForkError(`${failure.message}; ${advice} (evm_mine)`, { cause: failure })
}
