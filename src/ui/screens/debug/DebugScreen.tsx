import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Hash } from '#primitives/hex.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { NotFound } from '#ui/components/layout/NotFound.tsx'
import { ScreenHeading } from '#ui/components/layout/ScreenHeading.tsx'
import { debuggedCall, type Subject } from '#ui/execution/subject.ts'
import { shortHex } from '#ui/format/hex.ts'
import { useTitle } from '#ui/page/navigation.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { runQuery, versionOf } from '#ui/queries/executions.ts'
import { useTransaction } from '#ui/queries/transactions.ts'
import { DebuggerView } from './DebuggerView.tsx'

/** The debugger of a transaction, at `/tx/0x…/debug`, or of a call that was not sent, at `/call/1/debug`. */
export function DebugScreen({ of, id }: { of: string; id: string }) {
  if (of === 'call') return <DebugCall id={id} />
  if (of !== 'tx') {
    return (
      <NotFound title="Page not found">
        <p>The debugger of a transaction is at /tx/0x…/debug.</p>
      </NotFound>
    )
  }
  if (!/^0x[0-9a-f]{64}$/i.test(id)) {
    return (
      <NotFound title="This is not a transaction hash">
        <p>A transaction hash is 0x and 64 hexadecimal digits.</p>
      </NotFound>
    )
  }
  return <DebugTransaction key={id} hash={id.toLowerCase() as Hash} />
}

function DebugTransaction({ hash }: { hash: Hash }) {
  useTitle(`Debugger ${shortHex(hash)}`)
  const { data, error } = useTransaction(hash)
  const back = <AppLink to={`/tx/${hash}`}>Transaction {shortHex(hash)}</AppLink>
  if (error)
    return (
      <Framed about={back}>
        <ErrorNote error={error} />
      </Framed>
    )
  if (!data)
    return (
      <Framed about={back}>
        <Waiting what="Loading the transaction…" />
      </Framed>
    )
  if (!data.tx) {
    return (
      <NotFound title="Transaction not found">
        <p className="mono">{hash}</p>
        <p>The node does not know it, so there is nothing to debug.</p>
      </NotFound>
    )
  }
  if (!data.receipt) {
    return (
      <Framed about={back}>
        <p className="empty">
          It waits in the mempool and has not run yet. The debugger opens as soon as it is pre-confirmed.
        </p>
      </Framed>
    )
  }
  return <Opened subject={{ kind: 'transaction', hash }} version={versionOf(data.receipt)} about={back} />
}

function DebugCall({ id }: { id: string }) {
  useTitle('Debugger')
  const call = debuggedCall(id)
  // What it does depends on the pending block: at another visit it is run again.
  const [visit] = useState(() => String(performance.now()))
  if (!call) {
    return (
      <NotFound title="This call is not known">
        <p>
          A call that was not sent is only known to the tab that made it. Make the call again where it failed, and press
          “Debug this call” there.
        </p>
      </NotFound>
    )
  }
  return (
    <Opened
      key={id}
      subject={{ kind: 'call', id, call }}
      version={visit}
      about="A call that was not sent, on the state of the pending block"
    />
  )
}

function Framed({ about, children }: { about: ReactNode; children: ReactNode }) {
  return (
    <>
      <ScreenHeading title="Debugger" lead={about} />
      {children}
    </>
  )
}

function Waiting({ what }: { what: string }) {
  return (
    <p role="status" className="empty">
      {what}
    </p>
  )
}

function Opened({ subject, version, about }: { subject: Subject; version: string; about: ReactNode }) {
  const provider = useProvider()
  const { devnet } = useCapabilities()
  const { data: run, error } = useQuery({ ...runQuery(provider, subject, version), enabled: devnet })
  if (run && run.steps > 0) return <DebuggerView run={run} subject={subject} version={version} about={about} />
  return (
    <Framed about={about}>
      {!devnet ? (
        <p className="empty">This endpoint cannot execute transactions step by step.</p>
      ) : error ? (
        <ErrorNote error={error} />
      ) : run ? (
        <p className="empty">
          It ran no code: ETH was transferred, or the call failed before the first instruction. There is nothing to step
          through.
        </p>
      ) : (
        <Waiting what="Running it once more, step by step…" />
      )}
    </Framed>
  )
}
