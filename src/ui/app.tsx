import { lazy } from 'react'
import { Route, Switch } from 'wouter'
import type { Observable } from '#client/connection-state.ts'
import type { RpcRoute } from '#client/register-service-worker.ts'
import type { WalletRequests } from '#client/wallet-requests.ts'
import { BlockScreen } from '#ui/screens/block/BlockScreen.tsx'
import { LiveScreen } from '#ui/screens/live/LiveScreen.tsx'
import type { ConsoleTools } from '#ui/screens/rpc-console/RpcConsoleScreen.tsx'
import { TransactionScreen } from '#ui/screens/tx/TransactionScreen.tsx'
import styles from './app.module.css'
import { WalletDialog } from './connect/WalletDialog.tsx'
import { useFeed } from './feed/store.ts'
import { useConnection, useSession } from './session.ts'
import { Announcer } from './shell/announcer.tsx'
import { ConnectionScreen } from './shell/ConnectionScreen.tsx'
import { FaultsNotice } from './shell/FaultsNotice.tsx'
import { Header } from './shell/Header.tsx'
import { LazyScreen } from './shell/LazyScreen.tsx'
import { MAIN_ID } from './shell/main-id.ts'
import { NotFound } from './shell/NotFound.tsx'
import { RpcEndpoint } from './shell/RpcEndpoint.tsx'
import { StorageNotice } from './storage/StorageNotice.tsx'
import { classNames } from './styles/class-names.ts'

const css = classNames(styles)

const RpcConsoleScreen = lazy(async () => ({
  default: (await import('#ui/screens/rpc-console/RpcConsoleScreen.tsx')).RpcConsoleScreen,
}))
const SendScreen = lazy(async () => ({ default: (await import('#ui/screens/send/SendScreen.tsx')).SendScreen }))

export interface AppProps {
  /** What of the page's address made no sense, in sentences. */
  readonly warnings: readonly string[]
  readonly rpcRoute: Observable<RpcRoute>
  /** What dapps ask of the person at the page. */
  readonly walletRequests: WalletRequests
  readonly consoleTools: ConsoleTools
}

export function App({ warnings, rpcRoute, walletRequests, consoleTools }: AppProps) {
  const running = useConnection().status === 'ready'
  const { remote } = useSession()
  const following = useFeed((feed) => feed.live !== undefined)
  return (
    <>
      <a href={`#${MAIN_ID}`} className={css('skip')} onClick={skipToContent}>
        Skip to content
      </a>
      <Header />
      <main id={MAIN_ID} tabIndex={-1} className={css('main')}>
        {warnings.map((warning) => (
          <p key={warning} className={css('warning')}>
            {warning}
          </p>
        ))}
        {running && !remote && <StorageNotice />}
        <FaultsNotice />
        {running && following ? <Screens rpcRoute={rpcRoute} consoleTools={consoleTools} /> : <ConnectionScreen />}
      </main>
      {!remote && <RpcEndpoint route={rpcRoute} />}
      <WalletDialog requests={walletRequests} />
      <Announcer />
    </>
  )
}

/** Where routes are in the hash, following the link would be a route that there is not. */
function skipToContent(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.getElementById(MAIN_ID)?.focus()
}

function Screens({ rpcRoute, consoleTools }: Pick<AppProps, 'rpcRoute' | 'consoleTools'>) {
  return (
    <Switch>
      <Route path="/">
        <LiveScreen />
      </Route>
      <Route path="/send/:view?">
        {({ view }) => (
          <LazyScreen title="Send a transaction">
            <SendScreen view={view} />
          </LazyScreen>
        )}
      </Route>
      <Route path="/block/:id">{({ id }) => <BlockScreen id={id} />}</Route>
      <Route path="/tx/:hash">{({ hash }) => <TransactionScreen hash={hash} />}</Route>
      <Route path="/rpc-console">
        <LazyScreen title="RPC console">
          <RpcConsoleScreen tools={consoleTools} route={rpcRoute} />
        </LazyScreen>
      </Route>
      <Route>
        <NotFound title="There is no such page">
          <p>The address leads nowhere on this page. Blocks are at /block/7, transactions at /tx/0x….</p>
        </NotFound>
      </Route>
    </Switch>
  )
}
