import { lazy, useState } from 'react'
import type { Hash } from '#primitives/hex.ts'
import type { RpcLog, RpcReceipt } from '#rpc-types/objects.ts'
import { ConsoleLines } from '#ui/chain/console/ConsoleLines.tsx'
import { LogList } from '#ui/chain/decoded/LogList.tsx'
import { revertName } from '#ui/chain/decoded/RevertView.tsx'
import { TransactionStatus } from '#ui/chain/TransactionStatus.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { HeldBack } from '#ui/components/HeldBack.tsx'
import { LoadedPart } from '#ui/components/LoadedPart.tsx'
import { NotFound } from '#ui/components/layout/NotFound.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { ScreenHeading } from '#ui/components/layout/ScreenHeading.tsx'
import { type Tab, Tabs, tabOf } from '#ui/components/layout/Tabs.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { knownProgress, progressOfAll } from '#ui/own/progress.ts'
import { useTitle } from '#ui/page/navigation.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { versionOf } from '#ui/queries/executions.ts'
import { useTimeline, useTransaction } from '#ui/queries/transactions.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Calls } from './Calls.tsx'
import { Overview } from './Overview.tsx'
import type { PartProps } from './part-props.ts'
import { isPlainTransfer } from './plain-transfer.ts'
import { Raw } from './Raw.tsx'
import { ReceiptTab } from './ReceiptTab.tsx'
import { ReplacePanel } from './ReplacePanel.tsx'
import { Steps } from './Steps.tsx'
import styles from './TransactionScreen.module.css'

export type TransactionTab = 'overview' | 'logs' | 'calls' | 'state' | 'gas' | 'raw' | 'receipt'

/** The tabs of a transaction's screen. */
export function transactionTabs(receipt: RpcReceipt | null | undefined): readonly Tab<TransactionTab>[] {
  return [
    { id: 'overview', label: 'Overview' },
    { id: 'logs', label: 'Logs', count: receipt?.logs.length },
    { id: 'calls', label: 'Calls' },
    { id: 'state', label: 'State changes' },
    { id: 'gas', label: 'Gas' },
    { id: 'raw', label: 'Raw' },
    { id: 'receipt', label: 'Receipt' },
  ]
}

const css = classNames(styles)

const FailureTrace = lazy(async () => ({
  default: (await import('#ui/chain/failure/FailureTrace.tsx')).FailureTrace,
}))
const StateTab = lazy(async () => ({ default: (await import('./state/StateTab.tsx')).StateTab }))
const GasTab = lazy(async () => ({ default: (await import('./gas/GasTab.tsx')).GasTab }))

/**
 * One transaction: its progress and its outcome.
 *
 * @param tab - The last part of the address.
 */
export function TransactionScreen({ hash: text, tab: name }: { hash: string; tab?: string | undefined }) {
  const tab = tabOf(transactionTabs(undefined), name)
  if (!/^0x[0-9a-f]{64}$/i.test(text)) {
    return (
      <NotFound title="This is not a transaction hash">
        <p>A transaction hash is 0x and 64 hexadecimal digits.</p>
      </NotFound>
    )
  }
  if (!tab) {
    return (
      <NotFound title="Page not found">
        <p>
          A transaction has the pages overview, logs, calls, state, gas, raw and receipt. “{name}” is not one of them.
        </p>
      </NotFound>
    )
  }
  return <Transaction hash={text.toLowerCase() as Hash} tab={tab} />
}

function Transaction({ hash, tab }: { hash: Hash; tab: TransactionTab }) {
  useTitle(`Transaction ${shortHex(hash)}`)
  const { data, error } = useTransaction(hash)
  const timeline = useTimeline(hash)
  const seen = useFeed((feed) => feed.transactions.get(hash))
  const { devnet, film } = useCapabilities()
  if (error ?? timeline.error) return <ErrorNote error={error ?? timeline.error} />
  if (!data || timeline.data === undefined) return <p>Loading the transaction…</p>
  const events = timeline.data?.events ?? []
  const answered = progressOfAll(events, data.tx, data.receipt)
  const progress = knownProgress(seen, answered)
  if (!data.tx && events.length === 0) {
    return (
      <NotFound title="Transaction not found">
        <p className="mono">{hash}</p>
        <p>
          {film
            ? 'The chain does not know it at this moment of the film: it may come later.'
            : devnet
              ? 'The node does not know it. It remembers dropped transactions only until it stops.'
              : 'The endpoint does not know it, or no longer has it.'}
        </p>
      </NotFound>
    )
  }
  return (
    <>
      <ScreenHeading
        title={
          <>
            Transaction <span className={css('hash')}>{shortHex(hash)}</span>
            <CopyButton value={hash} label="Transaction hash" />
          </>
        }
      >
        <div className={css('standing')}>
          <span className={css('state', progress.status)}>
            <TransactionStatus hash={hash} progress={progress} />
          </span>
          {devnet && data.tx && data.receipt && !isPlainTransfer(data.tx, data.receipt) && (
            <AppLink to={`/tx/${hash}/debug`}>Debug step by step</AppLink>
          )}
        </div>
      </ScreenHeading>
      {devnet && (
        <Panel title="Timeline" about="Measured in the node">
          <Steps tx={data.tx} events={events} progress={answered} />
        </Panel>
      )}
      {data.tx && progress.status === 'mempool' && <ReplacePanel tx={data.tx} progress={progress} />}
      {data.tx && <Outcome key={hash} tx={data.tx} receipt={data.receipt} progress={progress} tab={tab} />}
    </>
  )
}

/** Why it failed and what it wrote, if it did; below, the tabs. */
function Outcome({ tab, ...props }: PartProps & { tab: TransactionTab }) {
  const { tx, receipt } = props
  const { hash } = tx
  const contracts = useContracts()
  const { devnet } = useCapabilities()
  const [hasTrace, setHasTrace] = useState(false)
  const [hasConsole, setHasConsole] = useState(false)
  const fails = devnet && receipt?.status === '0x0'
  const ran = receipt && !isPlainTransfer(tx, receipt) ? receipt : undefined
  return (
    <>
      {fails && (
        <Panel title="Why it failed" about="Found by executing it once more">
          <LoadedPart waiting={<p className="muted">Loading…</p>}>
            <FailureTrace
              subject={{ kind: 'transaction', hash }}
              version={versionOf(receipt)}
              debugAddress={`/tx/${hash}/debug`}
              guess={(bytes) => revertName(contracts, bytes)}
              onFound={() => setHasTrace(true)}
            />
          </LoadedPart>
        </Panel>
      )}
      {ran && (
        <ConsoleLines
          subject={{ kind: 'transaction', hash }}
          version={versionOf(ran)}
          panel
          onFound={() => setHasConsole(true)}
        />
      )}
      <HeldBack isHeld={(fails && !hasTrace) || (ran !== undefined && !hasConsole)}>
        <Tabs label="About the transaction" base={`/tx/${hash}`} tabs={transactionTabs(receipt)} current={tab}>
          <Part tab={tab} {...props} />
        </Tabs>
        {props.progress.status !== 'mempool' && <ReplacePanel tx={tx} progress={props.progress} />}
      </HeldBack>
    </>
  )
}

function Part({ tab, ...props }: PartProps & { tab: TransactionTab }) {
  switch (tab) {
    case 'overview':
      return <Overview {...props} />
    case 'logs':
      return <Logs {...props} />
    case 'calls':
      return <Calls {...props} />
    case 'state':
      return props.receipt ? (
        <LoadedPart>
          <StateTab
            key={props.tx.hash}
            tx={props.tx}
            receipt={props.receipt}
            isSealed={props.progress.status === 'sealed'}
          />
        </LoadedPart>
      ) : (
        <p className="empty">It has not run yet, so it has changed nothing.</p>
      )
    case 'gas':
      return props.receipt ? (
        <LoadedPart>
          <GasTab
            key={props.tx.hash}
            hash={props.tx.hash}
            receipt={props.receipt}
            runsCode={!isPlainTransfer(props.tx, props.receipt)}
          />
        </LoadedPart>
      ) : (
        <p className="empty">It has not run yet, so it has used no gas.</p>
      )
    case 'raw':
      return <Raw {...props} />
    case 'receipt':
      return <ReceiptTab {...props} />
  }
}

/** How many logs are drawn at first. */
const SHOWN = 50

/** All logs in the receipt, in order. */
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
