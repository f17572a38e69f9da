import { TriangleAlert } from 'lucide-react'
import { Activity, type ComponentType, lazy, useEffect, useLayoutEffect, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import type { RpcRoute } from '#client/register-service-worker.ts'
import type { Observable } from '#client/session/connection-state.ts'
import type { WalletRequests } from '#client/wallet/wallet-requests.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import { NotFound } from '#ui/components/layout/NotFound.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { LiveScreen } from '#ui/screens/live/LiveScreen.tsx'
import type { ConsoleTools } from '#ui/screens/rpc-console/RpcConsoleScreen.tsx'
import { SCREENS } from '#ui/screens/screens.ts'
import styles from './app.module.css'
import { LoadBoundary } from './components/LoadBoundary.tsx'
import { LoadedPart } from './components/LoadedPart.tsx'
import { WalletDialog } from './connect/WalletDialog.tsx'
import { useFeed } from './feed/store.ts'
import { Tour } from './learn/Tour.tsx'
import { TourOffer } from './learn/TourOffer.tsx'
import { prepareSending } from './own/use-send.ts'
import { showView } from './page/appearance.ts'
import { MAIN_ID, useView } from './page/navigation.ts'
import type { PageView } from './page/page-options.ts'
import { useConnection, useReadOnly, useSession } from './page/session.ts'
import { ContractsProvider } from './queries/ContractsProvider.tsx'
import { SharedScenario } from './share/SharedScenario.tsx'
import { Announcer } from './shell/announcer.tsx'
import { BrokenScreen } from './shell/BrokenScreen.tsx'
import { ConnectionScreen } from './shell/ConnectionScreen.tsx'
import { Header } from './shell/header/Header.tsx'
import { LazyScreen } from './shell/LazyScreen.tsx'
import { FloatingNotes } from './shell/notes/FloatingNotes.tsx'
import { RpcAddress } from './shell/RpcAddress.tsx'
import { ShellDialogs } from './shell/ShellDialogs.tsx'
import { StorageNotice } from './storage/StorageNotice.tsx'
import { classNames } from './styles/class-names.ts'

const css = classNames(styles)

const AddressLoad = lazy(async () => ({ default: (await import('./load/AddressLoad.tsx')).AddressLoad }))
const ReadOnlyBar = lazy(async () => ({ default: (await import('#ui/room/ReadOnlyBar.tsx')).ReadOnlyBar }))
const ViewScreen = lazy(async () => ({ default: (await import('#ui/screens/views/ViewScreen.tsx')).ViewScreen }))

export interface AppProps {
  /** Problems with the page's address, in sentences. */
  readonly warnings: readonly string[]
  readonly rpcRoute: Observable<RpcRoute>
  /** Questions of dapps to the person at the page. */
  readonly walletRequests: WalletRequests
  readonly consoleTools: ConsoleTools
  /** Stands where nothing can be changed, instead of what says so. */
  readonly ReadOnly?: ComponentType
}

/** The whole page. If a part of it cannot be drawn, it shows an error screen, not a blank page. */
export function App(props: AppProps) {
  return (
    <LoadBoundary
      waiting={null}
      renderFailure={(error) => (
        <main className={css('main')}>
          <BrokenScreen error={error} />
        </main>
      )}
    >
      <ContractsProvider>
        <Page {...props} />
      </ContractsProvider>
    </LoadBoundary>
  )
}

function Page({ warnings, rpcRoute, walletRequests, consoleTools, ReadOnly = ReadOnlyBar }: AppProps) {
  const running = useConnection().status === 'ready'
  const { remote, film, fork } = useSession()
  const readOnly = useReadOnly()
  const following = useFeed((feed) => feed.live !== undefined)
  const view = useView()
  useLayoutEffect(() => showView(view), [view])
  const shown = running && following
  const ahead = useAhead(shown, view === 'page' && !remote && !film && !fork)
  return (
    <>
      <a href={`#${MAIN_ID}`} className={css('skip')} onClick={skipToContent}>
        Skip to content
      </a>
      {/* Until a page from the chain's own server follows the chain, it may be a room's guest, whose screen has no header. */}
      {view === 'page' && (running || !remote?.served) && <Header />}
      {readOnly && (
        <LoadedPart waiting={null}>
          <ReadOnly />
        </LoadedPart>
      )}
      <main id={MAIN_ID} tabIndex={-1} className={css('main', view !== 'page' && 'bare')}>
        {view !== 'page' && <BackToLive />}
        {warnings.length > 0 && (
          <Notice label="Problems with the page’s address" icon={TriangleAlert} look="attention">
            {warnings.map((warning) => (
              <p key={warning}>{othersText(warning)}</p>
            ))}
          </Notice>
        )}
        {running && !remote && !readOnly && <StorageNotice />}
        {running && !readOnly && <SharedScenario />}
        {!readOnly && hasLoad() && (
          <LoadedPart waiting={null}>
            <AddressLoad />
          </LoadedPart>
        )}
        {(shown || ahead) && (
          <Activity mode={shown ? 'visible' : 'hidden'}>
            <Screens rpcRoute={rpcRoute} consoleTools={consoleTools} view={view} />
          </Activity>
        )}
        {!shown && <ConnectionScreen />}
      </main>
      {/* Not below a screen that is about to grow: it would jump. */}
      {shown && view === 'page' && !remote && !readOnly && <RpcAddress route={rpcRoute} />}
      <FloatingNotes />
      {running && !readOnly && <Tour />}
      <ShellDialogs />
      {/* Dapps ask the page's own chain. */}
      {!film && <WalletDialog requests={walletRequests} />}
      <Announcer />
    </>
  )
}

/**
 * Whether to draw the live screen, out of sight, before there is a chain to show: while the node starts, the page's thread
 * is idle, and the first view then comes sooner. Only at the page's start; a chain that is started over gets a new screen.
 * Other screens begin with what the chain has, so they wait for it.
 *
 * @param shown - Whether there is a chain to show.
 * @param may - Whether this page starts a node of its own.
 */
function useAhead(shown: boolean, may: boolean): boolean {
  const [begins, setBegins] = useState(may)
  const { status } = useConnection()
  const [path] = useLocation()
  if (begins && (shown || status === 'blocked' || status === 'crashed')) setBegins(false)
  const ahead = begins && path === '/'
  useEffect(() => {
    if (ahead) prepareSending()
  }, [ahead])
  return ahead
}

/** Whether the address asks for a load. */
function hasLoad(): boolean {
  return new URLSearchParams(location.search).has('load')
}

/** A link back for screens without navigation. */
function BackToLive() {
  const [path] = useLocation()
  return path === '/' ? null : <AppLink to="/">Back to the live chain</AppLink>
}

/**
 * Moves the focus by script: routes may be in the hash, so following the link would lead to a route that does not
 * exist.
 */
function skipToContent(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.getElementById(MAIN_ID)?.focus()
}

function Screens({
  rpcRoute,
  consoleTools,
  view: pageView,
}: Pick<AppProps, 'rpcRoute' | 'consoleTools'> & { view: PageView }) {
  return (
    <Switch>
      <Route path="/">
        {pageView === 'page' ? (
          <>
            <TourOffer />
            <LiveScreen />
          </>
        ) : (
          <LazyScreen title="Live">
            <ViewScreen view={pageView} />
          </LazyScreen>
        )}
      </Route>
      {SCREENS.map(({ path, title, Screen }) => (
        <Route key={path} path={path}>
          {(params) => (
            <LazyScreen title={title}>
              <Screen {...params} route={rpcRoute} tools={consoleTools} />
            </LazyScreen>
          )}
        </Route>
      ))}
      <Route>
        <NotFound title="Page not found">
          <p>
            Nothing is here.
            <br />A block is at <code>/block/7</code>,
            <br />a transaction at <code>/tx/0x…</code>,
            <br />
            an account at <code>/address/0x…</code>
          </p>
        </NotFound>
      </Route>
    </Switch>
  )
}
