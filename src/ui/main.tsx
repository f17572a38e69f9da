import { notifyManager, type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { nodeOptionsFromUrl } from '#client/node/node-options-from-url.ts'
import { openNode } from '#client/node/open-node.ts'
import { browserHost, type RpcRoute, registerServiceWorker } from '#client/register-service-worker.ts'
import { createCallLog, tapProvider } from '#client/session/call-log.ts'
import { createObservable, type Observable } from '#client/session/connection-state.ts'
import { installDevTools } from '#client/session/dev-tools.ts'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { ChainAddress } from '#client/session/remote-endpoint.ts'
import type { NodeSession } from '#client/session/session.ts'
import { lazyWallets } from '#client/wallet/lazy-wallet.ts'
import { hostWallet, type MakeWallet } from '#client/wallet/wallet-host.ts'
import { createWalletRequests } from '#client/wallet/wallet-requests.ts'
import { invariant } from '#primitives/invariant.ts'
import { App } from './app.tsx'
import { entryAddress, entryOf, ownLocation, servingEndpoint } from './connect/endpoint-address.ts'
import { mayConnect } from './connect/endpoint-consent.ts'
import { keepContracts } from './decode/keep-contracts.ts'
import { followNode } from './feed/follow-node.ts'
import { liveFeed } from './feed/store.ts'
import { followReplaced, forgetEarlierReplaced } from './own/follow-replaced.ts'
import { keepOwn } from './own/keep-own.ts'
import { forgetOwn } from './own/own-transactions.ts'
import { startAppearance } from './page/appearance.ts'
import { chainPrefix, pageBase } from './page/page-base.ts'
import { SessionContext } from './page/session.ts'
import { watchPainting } from './page/watch-painting.ts'
import { forgetStandings } from './queries/standings.ts'
import { statusQuery } from './queries/status.ts'
import { createQueries } from './shell/create-queries.ts'
import { wearFaces } from './styles/faces.ts'
import { isRecorded, paintAs } from './styles/motion.ts'
import './styles/faces.css'
import './styles/tokens.css'
import './styles/base.css'

const { options, chain, rpc, fork, warnings } = nodeOptionsFromUrl(location.search)

// A document's policy cannot be widened later, so the entry with a policy for other hosts is a separate document.
const entry = entryOf(document)
const asksElsewhere = (rpc ?? fork) !== undefined
const served = !asksElsewhere && entry === 'served'
if (asksElsewhere === (entry === 'remote')) start()
else
  location.replace(
    entryAddress(ownLocation(location, chainPrefix()), import.meta.env.BASE_URL, asksElsewhere ? 'remote' : 'own'),
  )

function start(): void {
  const endpoint = served ? servingEndpoint(location, chainPrefix()) : rpc
  if (endpoint) attach(endpoint)
  else if (fork)
    void import('./fork/start-fork.ts').then(({ startFork }) => showOwn(startFork(options, fork)), cannotStart)
  else showOwn(openNode(options, chain))
}

/** Shows a chain that runs in this browser: dapps' wallets may go to the others that it keeps. */
function showOwn(node: NodeSession): void {
  show(node, (tap) =>
    lazyWallets(() => import('#client/node/browser-chains.ts').then((m) => m.walletsOfBrowser(node.chain, tap))),
  )
}

/** Whether this browser keeps the page's files. Not where the page is not served securely, and not in some private windows. */
function hasServiceWorker(): boolean {
  return 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null
}

/** The code for remote chains is only loaded when needed. */
function attach(endpoint: ChainAddress): void {
  void Promise.all([import('#client/remote/remote-session.ts'), import('#client/remote/other-chains.ts')]).then(
    ([{ attachRemote }, { walletsOfServer }]) => {
      const agreed = served || mayConnect(endpoint)
      const { protocol: pageProtocol } = location
      const session = attachRemote(endpoint, { expectedChainId: options.chainId, pageProtocol, served, agreed })
      show(session, (tap) => walletsOfServer(session.remote, pageProtocol, tap))
    },
    cannotStart,
  )
}

/** Says that the page does not start, since a script for such a chain did not come. */
function cannotStart(): void {
  document.body.append('A part of the page could not be loaded. Reload it.')
}

/** @param walletsOf - Makes wallets for dapps that have more than the chain of the page. */
function show(
  node: NodeSession,
  walletsOf: (tap: (provider: BlinknetProvider) => BlinknetProvider) => MakeWallet,
): void {
  const calls = createCallLog()
  const session: NodeSession = {
    ...node,
    provider: tapProvider(node.provider, 'page', calls),
    ...(!node.remote && { watch }),
  }
  installDevTools({ ...node, provider: tapProvider(node.provider, 'script', calls) })
  const walletRequests = createWalletRequests()
  const ofWallet = (provider: BlinknetProvider) => tapProvider(provider, 'wallet', calls)
  hostWallet(window, ofWallet(node.provider), walletRequests, walletsOf(ofWallet))
  const consoleTools = {
    log: calls,
    provider: tapProvider(node.provider, 'console', calls),
    quietProvider: node.provider,
  }
  const rpcRoute = served
    ? createObservable<RpcRoute>({ status: 'ready', url: `${location.origin}${pageBase()}rpc` })
    : registerServiceWorker(node.chain, browserHost(node.state))
  startAppearance(location.search)
  wearFaces(hasServiceWorker(), liveFeed.subscribe)
  watchPainting(liveFeed.subscribe, paintAs, {
    get hidden() {
      return document.hidden
    },
    get recorded() {
      return isRecorded()
    },
    requestAnimationFrame: (callback) => requestAnimationFrame(callback),
  })

  // Notifies in the same task, so that a choice written to the cache does not jump back for a frame.
  notifyManager.setScheduler(queueMicrotask)
  const queries = createQueries()
  const contracts = keepContracts({ ...session, provider: node.provider })
  void keepOwn({ ...session, provider: node.provider })
  followReplaced({ ...session, provider: node.provider })
  // Calls wait for a node that starts: what the header says is there with the first block, too.
  if (!session.remote && !session.fork) void queries.prefetchQuery(statusQuery(session.provider))
  const followOwn = () =>
    followNode(
      session,
      () => {
        // A remote chain is the same after a reconnect.
        if (!session.remote) {
          forgetOwn()
          forgetEarlierReplaced()
        }
        queries.clear()
        contracts.renew()
        forgetStandings()
      },
      () => void queries.invalidateQueries(),
    )
  let unfollow = followOwn()

  /** The page's own chain runs on while a film is on the screen. */
  async function watch(file: Uint8Array, name: string): Promise<void> {
    // What follows a film is loaded before the page turns to it, so a failure leaves the page as it is.
    const [{ openFilm }] = await Promise.all([
      import('#client/node/open-film.ts'),
      import('./feed/connect-film-feed.ts'),
    ])
    const opened = await openFilm(file)
    const shown = createQueries()
    unfollow()
    const leave = () => {
      unfollow()
      opened.close()
      queries.clear()
      unfollow = followOwn()
      onScreen.set(own)
    }
    const film: NodeSession = { ...opened, film: { name, leave } }
    onScreen.set({ session: film, queries: shown })
    unfollow = followNode(film, leave, () => void shown.invalidateQueries())
  }

  // The other entry is a single file on every host, so its routes are in the hash and the set-up stays in the query.
  const routing = asksElsewhere
    ? { hook: useHashLocation, searchHook: () => '' }
    : { base: pageBase().replace(/\/$/, '') }
  const root = document.getElementById('root')
  invariant(root, 'the page has the root element')
  const own: ShownChain = { session, queries }
  const onScreen = createObservable(own)
  createRoot(root).render(
    <StrictMode>
      <OnScreen shown={onScreen}>
        <Router {...routing}>
          <App warnings={warnings} rpcRoute={rpcRoute} walletRequests={walletRequests} consoleTools={consoleTools} />
        </Router>
      </OnScreen>
    </StrictMode>,
  )
}

/** The chain on the screen, and what is cached of it. */
interface ShownChain {
  readonly session: NodeSession
  readonly queries: QueryClient
}

/** Draws the page anew when another chain is on the screen. */
function OnScreen({ shown, children }: { shown: Observable<ShownChain>; children: ReactNode }) {
  const { session, queries } = useSyncExternalStore(shown.subscribe, shown.get, shown.get)
  return (
    <SessionContext key={session.film?.name ?? ''} value={session}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </SessionContext>
  )
}
