import { othersText } from '#ui/format/contract-text.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { useSession } from '#ui/page/session.ts'
import { useStatus } from '#ui/queries/status.ts'

/** Which chain and block the page's own chain continues, and whether that is proven, in a few words. */
export function useForkInWords(): string {
  const host = othersText(useSession().fork?.endpoint.host ?? '')
  const fork = useStatus((status) => status.fork)
  if (!fork) return `Fork of the chain at ${host}, which does not run`
  const trust = fork.isProven ? 'its state proven' : 'its state not proven'
  return `Fork of chain ${Number(fork.chainId)} after block ${formatInteger(Number(fork.number))} at ${host}, ${trust}`
}
