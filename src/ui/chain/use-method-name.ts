import { useEffect } from 'react'
import { create } from 'zustand'
import type { Hex } from '#primitives/hex.ts'
import { useKnownContract } from '#ui/decode/known-contracts.ts'
import { methodName } from '#ui/decode/method-name.ts'

type AbiIndexing = typeof import('#ui/decode/abi-index.ts')

/** Comes with the first contract that the page knows: it hashes, and the page's first script has nothing that does. */
const useIndexing = create<Partial<AbiIndexing>>()(() => ({}))
let loading: Promise<void> | undefined

async function load(): Promise<void> {
  useIndexing.setState(await import('#ui/decode/abi-index.ts'))
}

/** What a transaction does, in a word; a remembered contract's own names come as soon as they can be read. */
export function useMethodName(tx: { readonly to: Hex | null; readonly input: Hex }): string {
  const contract = useKnownContract(tx.input.length < 10 ? undefined : tx.to)
  const indexOf = useIndexing((indexing) => indexing.indexOf)
  const isWanted = contract !== undefined && indexOf === undefined
  useEffect(() => {
    if (isWanted) loading ??= load()
  }, [isWanted])
  return methodName(tx, contract && indexOf?.(contract.abi).functions)
}
