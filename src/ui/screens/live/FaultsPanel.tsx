import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ban, Hourglass, type LucideIcon, ScissorsLineDashed, Snail, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { WithdrawnFate } from '#rpc-types/devnet.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Panel } from '#ui/components/Panel.tsx'
import { Segmented } from '#ui/components/Segmented.tsx'
import { shortHex } from '#ui/format/hex.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { statusQuery } from '#ui/queries/status.ts'
import { useProvider } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './FaultsPanel.module.css'
import { causeFault, type FaultKind, type FaultReport } from './faults.ts'

const css = classNames(styles)

const FAULTS: readonly { readonly kind: FaultKind; readonly name: string; readonly icon: LucideIcon }[] = [
  { kind: 'drop', name: 'Drop newest partial', icon: ScissorsLineDashed },
  { kind: 'stall', name: 'Stall 5 ticks', icon: Snail },
  { kind: 'delay', name: 'Delay seal 2 s', icon: Hourglass },
  { kind: 'reorg', name: 'Reorg 1 block', icon: Undo2 },
  { kind: 'fail', name: 'Refuse 3 sends', icon: Ban },
]

const FATES = [
  { value: 'requeue', label: 'wait again' },
  { value: 'lose', label: 'are lost' },
] as const satisfies readonly { readonly value: WithdrawnFate; readonly label: string }[]

/** Links to at most so many of the transactions that a fault has hit. */
const SHOWN = 4

/** What can go wrong with a pre-confirmation, on request, and what it did. */
export function FaultsPanel() {
  const provider = useProvider()
  const client = useQueryClient()
  const [fate, setFate] = useState<WithdrawnFate>('requeue')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (kind: FaultKind) => causeFault(provider, kind, fate),
    onSettled: () => client.invalidateQueries({ queryKey: statusQuery(provider).queryKey }),
  })
  return (
    <Panel title="Faults" aside="on request only">
      <div className={css('faults')}>
        <div className={css('buttons')}>
          {FAULTS.map(({ kind, name, icon: Icon }) => (
            <Button key={kind} size="small" disabled={isPending} onClick={() => mutate(kind)}>
              <Icon size={14} aria-hidden="true" />
              {name}
            </Button>
          ))}
        </div>
        <div className={css('fate')}>
          <span aria-hidden="true">What is taken back:</span>
          <Segmented legend="What is taken back" options={FATES} value={fate} onChange={setFate} />
        </div>
        <output className={css('report')} aria-label="What the fault did">
          {data ? (
            <Report report={data} />
          ) : (
            <span className="muted">
              A sequencer can break its word. See what that does to a transaction that was pre-confirmed, or sealed.
            </span>
          )}
        </output>
        {error && <ErrorNote error={error} />}
      </div>
    </Panel>
  )
}

function Report({ report: { words, hashes } }: { report: FaultReport }) {
  const more = hashes.length - SHOWN
  return (
    <>
      {words}
      {hashes.slice(0, SHOWN).map((hash) => (
        <span key={hash}>
          {' '}
          <AppLink to={`/tx/${hash}`} className="mono">
            {shortHex(hash)}
          </AppLink>
        </span>
      ))}
      {more > 0 && <span className="muted"> and {formatInteger(more)} more</span>}
    </>
  )
}
