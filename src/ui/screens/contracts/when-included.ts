import type { Hash } from '#primitives/hex.ts'
import { liveFeed } from '#ui/feed/store.ts'

/** Whether a transaction comes into a block, even one that is not sealed; `false` if it is dropped or the chain ends. */
export function whenIncluded(hash: Hash): Promise<boolean> {
  return new Promise((resolve) => {
    function check(): boolean {
      const { live, transactions } = liveFeed.getState()
      const stage = transactions.get(hash)?.stage
      const isIncluded = stage === 'preconfirmed' || stage === 'sealed'
      if (isIncluded || stage === 'dropped' || stage === 'replaced' || !live) resolve(isIncluded)
      else return false
      return true
    }
    if (check()) return
    const stop = liveFeed.subscribe(() => {
      if (check()) stop()
    })
  })
}
