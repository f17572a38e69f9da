import { keccak256 } from 'viem'
import { create } from 'zustand'
import { UnpackError } from '#client/node/unpack.ts'
import { CompilerError, solidityCompiler } from '#client/solidity-compiler.ts'
import type { Verification } from '#compiler/messages.ts'
import type { Hex } from '#primitives/hex.ts'
import type { RecognisedContract } from '#solidity/worker/messages.ts'
import type { KnownBuilds } from '#ui/queries/known-builds.ts'

/** What came of recompiling a contract's build: an outcome, or why there is none. */
export type Verified = { readonly running: true } | Verification | CompilerError

/** Outcomes of this session, by `verificationKey`. */
export const useVerifications = create<ReadonlyMap<string, Verified>>(() => new Map())

/** A build's contract and the code that it was compared with. */
export function verificationKey({ buildId, path, name }: RecognisedContract, code: Hex): string {
  return `${buildId} ${path}:${name} ${keccak256(code)}`
}

/**
 * Compiles a contract's build once more and compares the code. Cancelling the compiler forgets it.
 *
 * @param read - The texts of a build.
 */
export async function verify(read: KnownBuilds['read'], contract: RecognisedContract, code: Hex): Promise<void> {
  const key = verificationKey(contract, code)
  remember(key, { running: true })
  try {
    remember(key, await recompiled(read, contract, code))
  } catch (error) {
    if (!(error instanceof CompilerError)) {
      remember(key, undefined)
      throw error
    }
    remember(key, error.code === 'cancelled' ? undefined : error)
  }
}

async function recompiled(read: KnownBuilds['read'], contract: RecognisedContract, code: Hex): Promise<Verification> {
  try {
    const texts = await read(contract.buildId)
    if (!texts) return { outcome: 'unreadable', reason: 'the page no longer has it' }
    return await solidityCompiler.verify({ texts, path: contract.path, name: contract.name, code })
  } catch (error) {
    if (error instanceof UnpackError) return { outcome: 'unreadable', reason: error.message }
    throw error
  }
}

function remember(key: string, verified: Verified | undefined): void {
  const all = new Map(useVerifications.getState())
  if (verified) all.set(key, verified)
  else all.delete(key)
  useVerifications.setState(all, true)
}
