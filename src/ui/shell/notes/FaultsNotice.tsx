import { useMutation, useQueryClient } from '@tanstack/react-query'
import { X, Zap } from 'lucide-react'
import { useState } from 'react'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { DevnetFaults, PlannedFailure, WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { formatCount, formatDuration } from '#ui/format/numbers.ts'
import { useProvider, useReadOnly } from '#ui/page/session.ts'
import { statusQuery, useStatus } from '#ui/queries/status.ts'

/** Lists the active faults, so that nobody mistakes them for bugs, with a button to end them. */
export function FaultsNotice() {
  const faults = useStatus((status) => status.faults)
  const provider = useProvider()
  const client = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (planned: DevnetFaults) => endFaults(provider, planned),
    onSettled: () => client.invalidateQueries({ queryKey: statusQuery(provider).queryKey }),
  })
  const sentences = faults ? describeFaults(faults) : []
  const [dismissed, setDismissed] = useState('')
  const readOnly = useReadOnly()
  if (readOnly || !faults || sentences.length === 0 || dismissed === planOf(faults)) return null
  return (
    <Notice
      label="Planned faults"
      title="Planned faults"
      icon={Zap}
      look="failed"
      outcome={error && <ErrorNote error={error} />}
      actions={
        <>
          <Button size="small" disabled={isPending} onClick={() => mutate(faults)}>
            End faults
          </Button>
          <Button
            size="small"
            aria-label="Hide"
            title="Hide this note. The faults stay planned."
            onClick={() => setDismissed(planOf(faults))}
          >
            <X size={14} aria-hidden="true" />
          </Button>
        </>
      }
    >
      {sentences.map((sentence, i) => (
        // Two failures may have the same text, so their index is the key.
        <p key={i} className="muted">
          {sentence}
        </p>
      ))}
    </Notice>
  )
}

/** Identifies the planned faults, however far each has come: a hidden note reappears with another fault. */
function planOf({ stalledTicks, sealDelayMs, failNext, withdrawal }: DevnetFaults): string {
  return JSON.stringify([stalledTicks > 0, sealDelayMs, failNext.map(({ methods }) => methods), withdrawal?.planned])
}

/** Cancels what is still to come; past effects stay. */
async function endFaults(provider: BlinknetProvider, { failNext, withdrawal }: DevnetFaults): Promise<void> {
  await provider.request({ method: 'devnet_stallPartialBlocks', params: [0] })
  await provider.request({ method: 'devnet_delaySeal', params: [0] })
  if (withdrawal?.planned) await provider.request({ method: 'devnet_withdrawNext', params: ['none'] })
  for (const { methods } of failNext) {
    await provider.request({ method: 'devnet_failNext', params: [{ methods, times: 0 }] })
  }
}

const WITHDRAWALS: Readonly<Record<WithdrawnFate, string>> = {
  requeue: 'The next partial block with transactions will be withdrawn; they go back to the mempool.',
  lose: 'The next partial block with transactions will be withdrawn; they are lost.',
}

/** Planned faults that are still to come, one sentence each. */
export function describeFaults({ stalledTicks, sealDelayMs, failNext, withdrawal }: DevnetFaults): readonly string[] {
  return [
    ...(stalledTicks > 0 ? [`${next(stalledTicks, 'tick')} will not pre-confirm anything.`] : []),
    ...(sealDelayMs > 0 ? [`The seal of the pending block will come ${formatDuration(sealDelayMs)} late.`] : []),
    ...(withdrawal?.planned ? [WITHDRAWALS[withdrawal.planned]] : []),
    ...failNext.map(describeFailure),
  ]
}

function describeFailure({ methods, error, delayMs = 0, times = 1 }: PlannedFailure): string {
  const calls = `${next(times, 'call')} of ${othersText(methods.join(' or '))}`
  const late = delayMs > 0 ? ` ${formatDuration(delayMs)} late` : ''
  return error
    ? `${calls} will be refused${late} with “${othersText(error.message)}” (${error.code}).`
    : `${calls} will be answered${late}.`
}

function next(count: number, noun: string): string {
  return count === 1 ? `The next ${noun}` : `The next ${formatCount(count, noun)}`
}
