import { useMutation, useQueryClient } from '@tanstack/react-query'
import { X, Zap } from 'lucide-react'
import { useState } from 'react'
import type { BlinknetProvider } from '#client/provider.ts'
import type { DevnetFaults } from '#rpc-types/devnet.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { useProvider } from '#ui/page/session.ts'
import { statusQuery, useStatus } from '#ui/queries/status.ts'
import { describeFaults } from './fault-words.ts'

/** Which faults are in force, so that nobody takes them for defects, and the way out of them. */
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
  if (!faults || sentences.length === 0 || dismissed === planOf(faults)) return null
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
        // Two failures may be planned in the same words: only their position tells them apart.
        <p key={i} className="muted">
          {sentence}
        </p>
      ))}
    </Notice>
  )
}

/** Which faults are planned, whatever is left of each: a note that was hidden comes back with another fault. */
function planOf({ stalledTicks, sealDelayMs, failNext, withdrawal }: DevnetFaults): string {
  return JSON.stringify([stalledTicks > 0, sealDelayMs, failNext.map(({ methods }) => methods), withdrawal?.planned])
}

/** Takes back what is still to come; what happened stays. */
async function endFaults(provider: BlinknetProvider, { failNext, withdrawal }: DevnetFaults): Promise<void> {
  await provider.request({ method: 'devnet_stallPartialBlocks', params: [0] })
  await provider.request({ method: 'devnet_delaySeal', params: [0] })
  if (withdrawal?.planned) await provider.request({ method: 'devnet_withdrawNext', params: ['none'] })
  for (const { methods } of failNext) {
    await provider.request({ method: 'devnet_failNext', params: [{ methods, times: 0 }] })
  }
}
