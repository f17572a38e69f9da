import { useMutation } from '@tanstack/react-query'
import { Route } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { useProvider, useSession } from '#ui/page/session.ts'
import { addressInMemory } from '#ui/storage/page-address.ts'
import { type Replayed, replayScenario } from './replay-scenario.ts'
import { ScenarioError, unpackScenario } from './scenario.ts'

type Outcome = { readonly kind: 'replayed'; readonly replayed: Replayed } | { readonly kind: 'not-fresh' }

/**
 * Runs the scenario in the address on a fresh chain in memory. For a stored chain, or one that is not fresh, it asks
 * whether to open a chain in memory.
 *
 * @param packed - The scenario as in the address.
 */
export function ScenarioNotice({ packed }: { packed: string }) {
  const provider = useProvider()
  const [closed, setClosed] = useState(false)
  const { mutate, data, error } = useMutation({ mutationFn: () => replayOnce(provider, packed) })
  const { chain } = useSession()
  const isStored = chain !== undefined
  useEffect(() => {
    if (!isStored) mutate()
  }, [isStored, mutate])
  if (closed) return null
  const close = (
    <Button size="small" onClick={() => setClosed(true)}>
      Close
    </Button>
  )
  if (error) {
    return (
      <Notice label="Shared chain" icon={Route} look="failed" actions={close}>
        <ErrorNote error={error} />
      </Notice>
    )
  }
  if (isStored || data?.kind === 'not-fresh') {
    return (
      <Notice
        label="Shared chain"
        title="This link contains somebody’s transactions"
        icon={Route}
        look="attention"
        actions={
          <>
            <Button size="small" onClick={() => setClosed(true)}>
              Not now
            </Button>
            <Button size="small" onClick={() => openFresh()}>
              Open them on a new chain
            </Button>
          </>
        }
      >
        <p className="muted">
          {isStored
            ? `If you open them, the page reloads and runs them on a new chain in memory. Your stored chain “${chain}” is not touched.`
            : 'The chain in this page already has transactions, or has no manual clock, so they would not give the same blocks.'}{' '}
          Nothing has been changed.
        </p>
      </Notice>
    )
  }
  return (
    <Notice label="Shared chain" icon={Route} look="plain" actions={data && close}>
      <p role="status">{data ? wordsFor(data.replayed) : 'Running the shared transactions…'}</p>
    </Notice>
  )
}

function openFresh(): void {
  const address = new URL(addressInMemory(location, import.meta.env.BASE_URL), location.href)
  address.searchParams.set('clock', 'manual')
  location.assign(address)
}

function wordsFor({ transactions, head, same }: Replayed): string {
  const done = `Replayed ${formatCount(transactions, 'transaction')}, up to block #${formatInteger(head.number)}.`
  const hash = shortHex(head.hash)
  return same
    ? `${done} Block hashes match: ${hash}.`
    : `${done} The block hash, ${hash}, differs from the shared one. The link was made with another version of this page, or it was changed.`
}

const begun = new Map<string, Promise<Outcome>>()

/** Runs once per page, however often the screen renders. */
function replayOnce(provider: BlinknetProvider, packed: string): Promise<Outcome> {
  const known = begun.get(packed)
  if (known) return known
  const outcome = replay(provider, packed)
  begun.set(packed, outcome)
  return outcome
}

async function replay(provider: BlinknetProvider, packed: string): Promise<Outcome> {
  try {
    const scenario = await unpackScenario(packed)
    const { mode, head, live, pool } = await provider.request({ method: 'devnet_status' })
    const isFresh =
      Number(head.number) === 0 && live.index === 0 && live.transactionCount === 0 && pool.pending + pool.queued === 0
    if (mode !== 'manual' || !isFresh) return { kind: 'not-fresh' }
    return { kind: 'replayed', replayed: await replayScenario(provider, scenario) }
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    throw new ExplainedError(
      `The transactions in this link cannot be read: ${error.message}.`,
      'Ask for a new link. Nothing has been changed.',
      { cause: error },
    )
  }
}
