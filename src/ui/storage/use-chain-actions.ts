import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSession } from '#ui/page/session.ts'
import { type ChainAction, performChainAction } from './chain-actions.ts'
import { STORAGE_KEY } from './storage-query.ts'

/** Runs actions on the whole chain, one at a time; `data` describes what the last one did. */
export function useChainActions() {
  const session = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (action: ChainAction) => performChainAction(session, action),
    onSettled: () => queries.invalidateQueries({ queryKey: [STORAGE_KEY] }),
  })
}
