import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { MAX_BUILD_TEXT_BYTES } from '#client/builds/builds.ts'
import { openFilm } from '#client/node/open-film.ts'
import { unpack } from '#client/node/unpack.ts'
import type { RpcRoute } from '#client/register-service-worker.ts'
import { createCallLog, tapProvider } from '#client/session/call-log.ts'
import { createObservable } from '#client/session/connection-state.ts'
import { installDevTools } from '#client/session/dev-tools.ts'
import type { NodeSession } from '#client/session/session.ts'
import { createWalletRequests } from '#client/wallet/wallet-requests.ts'
import { fromBase64 } from '#primitives/base64.ts'
import { describeError } from '#primitives/describe-error.ts'
import { invariant } from '#primitives/invariant.ts'
import { utf8 } from '#primitives/utf8.ts'
import { buildId, chainId, type PackedCompilation } from '#report/report-file.ts'
import type { TestRecord } from '#report/test-record.ts'
import { App } from './app.tsx'
import { ErrorNote } from './components/ErrorNote.tsx'
import { followNode } from './feed/follow-node.ts'
import { startAppearance } from './page/appearance.ts'
import { SessionContext } from './page/session.ts'
import { besideColumn } from './report/beside-column.ts'
import { ReportView } from './report/ReportView.tsx'
import { readRecord } from './report/read-record.ts'
import { ReportContext } from './report/report-context.ts'
import { createQueries } from './shell/create-queries.ts'
import './styles/faces.css'
import './styles/tokens.css'
import './styles/base.css'

// What starts the page of a report (src/report/): one file, opened from a disk. It has no server, no service worker and no
// wallet; the chain is a film of the file that it holds.

const NO_ROUTE = createObservable<RpcRoute>({ status: 'unavailable', reason: 'This page is a file.' })
const NO_WARNINGS: readonly string[] = []
/** Routes are in the hash: the file has one address. */
const ROUTING = { hook: useHashLocation, searchHook: () => '' }
const walletRequests = createWalletRequests()

void start().catch(explain)

async function start(): Promise<void> {
  const record = await readRecord(document)
  const isTest = record.titles.length > 0
  if (isTest)
    for (const style of document.querySelectorAll('style')) style.textContent = besideColumn(style.textContent)
  document.documentElement.dataset['report'] = isTest ? 'test' : 'film'
  startAppearance('')
  // Notifies in the same task, as on the page of a chain.
  notifyManager.setScheduler(queueMicrotask)
  const root = document.getElementById('root')
  invariant(root, 'the page has the root element')
  createRoot(root).render(
    <StrictMode>
      <Report record={record} />
    </StrictMode>,
  )
}

function explain(error: unknown): void {
  const problem = document.getElementById('problem')
  if (problem) problem.textContent = `This file cannot be shown: ${describeError(error)}`
}

/** The films of the chains that have been looked at, by their places. */
const films = new Map<number, Promise<NodeSession>>()

function filmOf(place: number): Promise<NodeSession> {
  const known = films.get(place)
  if (known) return known
  const opened = openFilm(fromBase64(textOf(chainId(place)) ?? ''))
  films.set(place, opened)
  opened.then(giveBuilds, () => {})
  return opened
}

function textOf(id: string): string | undefined {
  return document.getElementById(id)?.textContent ?? undefined
}

/** Tells the chain's node which sources its contracts come from; what it cannot use, nothing is shown of. */
async function giveBuilds({ provider }: NodeSession): Promise<void> {
  let text = textOf(buildId(0))
  for (let place = 1; text !== undefined; text = textOf(buildId(place++))) {
    try {
      const bytes = await unpack(fromBase64(text), 'gzip', MAX_BUILD_TEXT_BYTES)
      const params = JSON.parse(utf8.decode(bytes)) as PackedCompilation
      await provider.request({ method: 'hardhat_addCompilationResult', params })
    } catch (error) {
      reportError(new Error('a compilation in this file cannot be used', { cause: error }))
    }
  }
}

/** A chain on the screen, or why there is none. */
type Shown = { readonly place: number; readonly session?: NodeSession; readonly error?: unknown }

function Report({ record }: { record: TestRecord }) {
  const [place, setPlace] = useState(0)
  const [shown, setShown] = useState<Shown>()
  useEffect(() => {
    let isLeft = false
    const show = (opened: Omit<Shown, 'place'>) => {
      if (!isLeft) setShown({ place, ...opened })
    }
    filmOf(place).then(
      (session) => show({ session: { ...session, film: { name: record.chains[place]?.name ?? '' } } }),
      (error: unknown) => show({ error }),
    )
    return () => {
      isLeft = true
    }
  }, [place, record])
  const report = useMemo(() => ({ record, place, show: setPlace }), [record, place])
  if (shown?.place !== place) return <p className="muted">Opening the chain…</p>
  return (
    <ReportContext value={report}>
      {shown.session ? (
        <Chain key={place} session={shown.session} />
      ) : (
        <main>
          <ErrorNote error={shown.error} />
        </main>
      )}
    </ReportContext>
  )
}

function Chain({ session }: { session: NodeSession }) {
  const [queries] = useState(createQueries)
  const consoleTools = useMemo(() => {
    const log = createCallLog()
    return { log, provider: tapProvider(session.provider, 'console', log), quietProvider: session.provider }
  }, [session])
  useEffect(() => {
    installDevTools(session)
    return followNode(
      session,
      () => queries.clear(),
      () => void queries.invalidateQueries(),
    )
  }, [session, queries])
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={queries}>
        <Router {...ROUTING}>
          <App
            warnings={NO_WARNINGS}
            rpcRoute={NO_ROUTE}
            walletRequests={walletRequests}
            consoleTools={consoleTools}
            ReadOnly={ReportView}
          />
        </Router>
      </QueryClientProvider>
    </SessionContext>
  )
}
