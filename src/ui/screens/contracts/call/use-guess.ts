import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address, Hex } from '#primitives/hex.ts'
import { type GuessedContract, guessContract } from '#ui/decode/code-functions.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useProvider } from '#ui/page/session.ts'
import { codeQuery } from '#ui/queries/contracts.ts'
import { useSelectorTable } from '#ui/queries/selector-table.ts'

/**
 * What a contract without a known ABI seems to be, by its code.
 *
 * @param address - `undefined` if nothing is to be guessed.
 */
export function useGuess(address: Address | undefined): GuessedContract | undefined {
  const version = useFeed((feed) => feed.live?.number ?? 0)
  const asked = codeQuery(useProvider(), address ?? '0x', version)
  const { data: code = '0x' } = useQuery({ ...asked, enabled: address !== undefined })
  const tableOf = useSelectorTable()
  return useMemo(() => guessOf(address && code, tableOf), [address, code, tableOf])
}

function guessOf(code: Hex | undefined, tableOf: ReturnType<typeof useSelectorTable>): GuessedContract | undefined {
  if (code === undefined || code === '0x') return undefined
  const table = tableOf()
  return table && guessContract(table, code)
}
