import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import type { BlinknetProvider } from '#client/provider.ts'
import type { DevnetFaults } from '#rpc-types/devnet.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { statusQuery, useStatus } from '#ui/queries/status.ts'
import { useProvider } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './FaultsNotice.module.css'
import { describeFaults } from './fault-words.ts'

const css = classNames(styles)

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
  if (!faults || sentences.length === 0) return null
  return (
    <section aria-label="Faults in force" className={css('notice')}>
      <Zap size={16} aria-hidden="true" className={css('icon')} />
      <div className={css('words')}>
        <p className={css('title')}>Faults in force, on request</p>
        {sentences.map((sentence, i) => (
          // Two failures may be planned in the same words: only their position tells them apart.
          <p key={i}>{sentence}</p>
        ))}
        {error && <ErrorNote error={error} />}
      </div>
      <Button size="small" disabled={isPending} onClick={() => mutate(faults)}>
        End faults
      </Button>
    </section>
  )
}

/** Takes back what is still to come; what happened stays. */
async function endFaults(provider: BlinknetProvider, { failNext }: DevnetFaults): Promise<void> {
  await provider.request({ method: 'devnet_stallPartialBlocks', params: [0] })
  await provider.request({ method: 'devnet_delaySeal', params: [0] })
  for (const { methods } of failNext) {
    await provider.request({ method: 'devnet_failNext', params: [{ methods, times: 0 }] })
  }
}
