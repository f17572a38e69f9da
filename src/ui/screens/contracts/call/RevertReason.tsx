import { useQuery } from '@tanstack/react-query'
import type { Hash } from '#primitives/hex.ts'
import { RevertView } from '#ui/chain/decoded/RevertView.tsx'
import { decodeFailure } from '#ui/decode/decode-revert.ts'
import { useProvider } from '#ui/page/session.ts'
import { traceQuery } from '#ui/queries/traces.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'

/** Why an included transaction was reverted: executes it again to get the reason, if the chain supports that. */
export function RevertReason({ hash, block }: { hash: Hash; block: string }) {
  const contracts = useContracts()
  const { data } = useQuery(traceQuery(useProvider(), hash, block))
  return (
    <>
      {data && <RevertView revert={decodeFailure(contracts, data)} />}
      <p className="note">Its effects were undone, but the gas was paid.</p>
    </>
  )
}
