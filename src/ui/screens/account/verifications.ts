import { keccak256 } from 'viem'
import { create } from 'zustand'
import { UnpackError } from '#client/node/unpack.ts'
import { CompilerError, solidityCompiler } from '#client/solidity-compiler.ts'
import type { Verification } from '#compiler/messages.ts'
import type { Hex } from '#primitives/hex.ts'
import type { RecognisedContract } from '#solidity/worker/messages.ts'
import type { KnownBuilds } from '#ui/queries/known-builds.ts'

/** What came of recompiling a contract's build: an outcome, or why there is none. */
export type Verified = Running | Verification | CompilerError

interface Running {
  /** Ends it, also while the texts of the build are still being read. */
  readonly cancel: () => void
}

/** Outcomes of this session, by `verificationKey`. */
export const useVerifications = create<ReadonlyMap<string, Verified>>(() => new Map())

type BuiltContract = Pick<RecognisedContract, 'buildId' | 'path' | 'name'>

/** A build's contract and the code that it was compared with. */
export function verificationKey({ buildId, path, name }: BuiltContract, code: Hex): string {
  return `${buildId} ${path}:${name} ${keccak256(code)}`
}

/**
 * Compiles a contract's build once more and compares the code. Once cancelled, it is forgotten.
 *
 * @param read - The texts of a build.
 */
export async function verify(read: KnownBuilds['read'], contract: RecognisedContract, code: Hex): Promise<void> {
  const key = verificationKey(contract, code)
  const cancelling = new AbortController()
  remember(key, { cancel: () => cancelling.abort() })
  try {
    remember(key, await recompiled(read, contract, code, cancelling.signal))
  } catch (error) {
    if (!(error instanceof CompilerError)) {
      remember(key, undefined)
      throw error
    }
    remember(key, error.code === 'cancelled' ? undefined : error)
  }
}

async function recompiled(
  read: KnownBuilds['read'],
  contract: RecognisedContract,
  code: Hex,
  cancelled: AbortSignal,
): Promise<Verification> {
  try {
    const texts = await read(contract.buildId)
    if (cancelled.aborted) throw new CompilerError('cancelled', 'The verification was cancelled.')
    if (!texts) return { outcome: 'unreadable', reason: 'the page no longer has it' }
    cancelled.addEventListener('abort', solidityCompiler.cancel)
    return await solidityCompiler.ask('verify', { texts, path: contract.path, name: contract.name, code })
  } catch (error) {
    if (error instanceof UnpackError) return { outcome: 'unreadable', reason: error.message }
    throw error
  }
}

/** @param verified - `undefined` forgets it. */
export function remember(key: string, verified: Verified | undefined): void {
  const all = new Map(useVerifications.getState())
  if (verified) all.set(key, verified)
  else all.delete(key)
  useVerifications.setState(all, true)
}
