import { useMutation, useQuery } from '@tanstack/react-query'
import type { RpcCallFrame } from '#rpc-types/methods/debug.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { CallTree } from '#ui/chain/decoded/CallTree.tsx'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { countCalls, countLogs } from '#ui/decode/call-tree.ts'
import { formatCount, formatDuration, formatInteger } from '#ui/format/numbers.ts'
import { useProvider } from '#ui/page/session.ts'
import { traceQuery, traceTransaction, traceWaiting } from '#ui/queries/traces.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Calls.module.css'
import type { PartProps } from './part-props.ts'

const css = classNames(styles)

/** The tree of the transaction's calls. */
export function Calls({ tx, receipt }: PartProps) {
  return receipt ? <Executed key={tx.hash} tx={tx} receipt={receipt} /> : <Waiting key={tx.hash} tx={tx} />
}

function Executed({ tx, receipt }: Pick<PartProps, 'tx'> & { receipt: RpcReceipt }) {
  const provider = useProvider()
  const trace = useQuery(traceQuery(provider, tx.hash, receipt.blockHash))
  const replay = useMutation({
    mutationFn: async () => {
      const startedMs = performance.now()
      const frame = await traceTransaction(provider, tx.hash)
      return { frame, tookMs: performance.now() - startedMs }
    },
  })
  if (trace.error) return <ErrorNote error={trace.error} />
  if (trace.data === undefined) return <p className="empty">Running the transaction again to see its calls…</p>
  if (trace.data === null) return <p className="empty">This endpoint cannot trace transactions.</p>
  return (
    <>
      <div className="spread">
        <p className="muted">
          {formatCount(countCalls(trace.data), 'call')}, {formatCount(countLogs(trace.data), 'log')},{' '}
          {formatInteger(BigInt(trace.data.gasUsed))} gas, including the base cost of the transaction.
        </p>
        <Button size="small" disabled={replay.isPending} onClick={() => replay.mutate()}>
          Replay
        </Button>
      </div>
      <div role="status" className={css('replay')}>
        {replay.data && <p>{replayWords(replay.data.frame, receipt, replay.data.tookMs)}</p>}
      </div>
      {replay.error && <ErrorNote error={replay.error} />}
      <CallTree key={receipt.blockHash} top={replay.data?.frame ?? trace.data} />
    </>
  )
}

/** Compares a repeated execution with the receipt: on the same state, a transaction always does the same. */
function replayWords(frame: RpcCallFrame, receipt: RpcReceipt, tookMs: number): string {
  const succeeded = frame.error === undefined
  const differences = [
    succeeded !== (receipt.status === '0x1') && `it ${succeeded ? 'succeeded' : 'failed'}`,
    frame.gasUsed !== receipt.gasUsed && `it used ${formatInteger(BigInt(frame.gasUsed))} gas`,
    countLogs(frame) !== receipt.logs.length && `it wrote ${formatCount(countLogs(frame), 'log')}`,
  ].filter((difference) => difference !== false)
  const ran = `Ran again on the same state in ${formatDuration(tookMs)}`
  if (differences.length > 0) return `${ran}. This differs from the receipt: ${differences.join(', ')}.`
  return `${ran}: ${succeeded ? 'success' : 'reverted'}, ${formatInteger(BigInt(frame.gasUsed))} gas and ${formatCount(receipt.logs.length, 'log')}, the same as in the receipt.`
}

function Waiting({ tx }: Pick<PartProps, 'tx'>) {
  const provider = useProvider()
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => traceWaiting(provider, tx) })
  return (
    <>
      <div className="spread">
        <p className="muted">It has not run yet. A trial runs it on the pending state and changes nothing.</p>
        <Button size="small" disabled={isPending} onClick={() => mutate()}>
          {data ? 'Run the trial again' : 'Run a trial'}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
      {data && <CallTree top={data} />}
    </>
  )
}
