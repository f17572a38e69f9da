import { useState } from 'react'
import type { RpcLog } from '#rpc-types/objects.ts'
import { LogList } from '#ui/chain/decoded/LogList.tsx'
import { Button } from '#ui/components/Button.tsx'
import { formatInteger } from '#ui/format/numbers.ts'
import type { PartProps } from './part-props.ts'

/** Logs that are drawn at once. */
const SHOWN = 50

/** Everything that contracts wrote into the receipt, in its order. */
export function Logs({ receipt }: PartProps) {
  if (!receipt) return <p className="empty">There are no logs yet: they are written when the transaction runs.</p>
  if (receipt.status === '0x0') {
    return <p className="empty">A reverted transaction has no logs: they were undone with its other effects.</p>
  }
  if (receipt.logs.length === 0) return <p className="empty">This transaction wrote no logs.</p>
  return <SomeLogs logs={receipt.logs} />
}

function SomeLogs({ logs }: { logs: readonly RpcLog[] }) {
  const [shown, setShown] = useState(SHOWN)
  const left = logs.length - shown
  return (
    <>
      <LogList logs={logs.slice(0, shown)} />
      {left > 0 && (
        <div>
          <Button onClick={() => setShown(shown + 4 * SHOWN)}>Show more of {formatInteger(left)} left</Button>
        </div>
      )}
    </>
  )
}
