import type { Hash } from '#primitives/hex.ts'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Panel } from '#ui/components/Panel.tsx'
import { StateChip } from '#ui/components/StateChip.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { describeProgress } from '#ui/format/stage.ts'
import { knownProgress, progressOfAll } from '#ui/own/progress.ts'
import { useTimeline, useTransaction } from '#ui/queries/transactions.ts'
import { useCapabilities } from '#ui/session.ts'
import { NotFound } from '#ui/shell/NotFound.tsx'
import { useTitle } from '#ui/shell/use-title.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Logs } from './Logs.tsx'
import { Overview } from './Overview.tsx'
import { Receipt } from './Receipt.tsx'
import { ReplacePanel } from './ReplacePanel.tsx'
import { Steps } from './Steps.tsx'
import styles from './TransactionScreen.module.css'

const css = classNames(styles)

/** One transaction: how far it has come and what came of it. */
export function TransactionScreen({ hash: text }: { hash: string }) {
  if (!/^0x[0-9a-f]{64}$/i.test(text)) {
    return (
      <NotFound title="This is not a transaction hash">
        <p>“{text}” should be 0x and 64 hexadecimal digits.</p>
      </NotFound>
    )
  }
  return <Transaction hash={text.toLowerCase() as Hash} />
}

function Transaction({ hash }: { hash: Hash }) {
  useTitle(`Transaction ${shortHex(hash)}`)
  const { data, error } = useTransaction(hash)
  const timeline = useTimeline(hash)
  const seen = useFeed((feed) => feed.transactions.get(hash))
  const { devnet } = useCapabilities()
  if (error ?? timeline.error) return <ErrorNote error={error ?? timeline.error} />
  if (!data || timeline.data === undefined) return <p>Loading the transaction…</p>
  const events = timeline.data?.events ?? []
  const answered = progressOfAll(events, data.tx, data.receipt)
  const progress = knownProgress(seen, answered)
  if (!data.tx && events.length === 0) {
    return (
      <NotFound title="No such transaction">
        <p className="mono">{hash}</p>
        <p>
          {devnet
            ? 'The node does not know it. What leaves the mempool without a block is remembered only until the node stops.'
            : 'The endpoint does not know it, or knows it no more.'}
        </p>
      </NotFound>
    )
  }
  return (
    <>
      <div className={css('head')}>
        <h1 className={css('title')}>
          Transaction <span className={css('hash')}>{shortHex(hash)}</span>
          <CopyButton value={hash} label="Transaction hash" />
        </h1>
        <output
          aria-live="off"
          aria-label={`Transaction ${hash}: ${describeProgress(progress)}`}
          className={css('state')}
        >
          <StateChip stage={progress.stage} outcome={progress.outcome} withOutcome />
        </output>
      </div>
      {devnet && (
        <Panel title="Timeline" aside="measured in the node">
          <Steps events={events} progress={answered} />
        </Panel>
      )}
      {data.tx && <ReplacePanel tx={data.tx} progress={progress} />}
      {data.tx && (
        <Panel title="Overview">
          <Overview tx={data.tx} progress={progress} />
        </Panel>
      )}
      {data.receipt && (
        <Panel title="Receipt" aside={progress.stage === 'sealed' ? 'sealed' : 'pre-confirmed, not final'}>
          <Receipt receipt={data.receipt} />
        </Panel>
      )}
      {data.receipt && (
        <Panel title="Logs" aside={formatCount(data.receipt.logs.length, 'log')}>
          <Logs logs={data.receipt.logs} />
        </Panel>
      )}
    </>
  )
}
