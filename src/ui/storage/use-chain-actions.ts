import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSession } from '#ui/page/session.ts'
import type { ChainAction } from './chain-actions.ts'
import { STORAGE_KEY } from './storage-query.ts'

/** Runs actions on the whole chain, one at a time; `data` describes what the last one did. */
export function useChainActions() {
  const session = useSession()
  const queries = useQueryClient()
  return useMutation({
    // The notice about storage is part of the first view; what it may do is not.
    async mutationFn(action: ChainAction) {
      const { performChainAction } = await import('./chain-actions.ts')
      return performChainAction(session, action)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [STORAGE_KEY] }),
  })
}
