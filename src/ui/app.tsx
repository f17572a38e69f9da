import { Route, Switch } from 'wouter'
import { BlockScreen } from '#ui/screens/block/BlockScreen.tsx'
import { LiveScreen } from '#ui/screens/live/LiveScreen.tsx'
import { TransactionScreen } from '#ui/screens/tx/TransactionScreen.tsx'
import styles from './app.module.css'
import { useFeed } from './feed/store.ts'
import { useConnection } from './session.ts'
import { Announcer } from './shell/announcer.tsx'
import { ConnectionScreen } from './shell/ConnectionScreen.tsx'
import { Header } from './shell/Header.tsx'
import { MAIN_ID } from './shell/main-id.ts'
import { NotFound } from './shell/NotFound.tsx'
import { classNames } from './styles/class-names.ts'

const css = classNames(styles)

/** @param warnings - What of the page's address made no sense, in sentences. */
export function App({ warnings }: { warnings: readonly string[] }) {
  const running = useConnection().status === 'ready'
  const following = useFeed((feed) => feed.live !== undefined)
  return (
    <>
      <a href={`#${MAIN_ID}`} className={css('skip')}>
        Skip to content
      </a>
      <Header />
      <main id={MAIN_ID} tabIndex={-1} className={css('main')}>
        {warnings.map((warning) => (
          <p key={warning} className={css('warning')}>
            {warning}
          </p>
        ))}
        {running && following ? <Screens /> : <ConnectionScreen />}
      </main>
      <Announcer />
    </>
  )
}

function Screens() {
  return (
    <Switch>
      <Route path="/">
        <LiveScreen />
      </Route>
      <Route path="/send">
        <LiveScreen />
      </Route>
      <Route path="/block/:id">{({ id }) => <BlockScreen id={id} />}</Route>
      <Route path="/tx/:hash">{({ hash }) => <TransactionScreen hash={hash} />}</Route>
      <Route>
        <NotFound title="There is no such page">
          <p>The address leads nowhere on this page. Blocks are at /block/7, transactions at /tx/0x….</p>
        </NotFound>
      </Route>
    </Switch>
  )
}
