import { type ComponentType, lazy, type ReactNode, useEffect } from 'react'
import { LoadBoundary } from '#ui/components/LoadBoundary.tsx'
import { ScreenHeading } from '#ui/components/layout/ScreenHeading.tsx'
import { useTitle } from '#ui/page/navigation.ts'
import { useCapabilities, useSession } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Explanation } from './Explanation.tsx'
import styles from './LiveScreen.module.css'
import { Race } from './Race.tsx'
import { Ribbon } from './ribbon/Ribbon.tsx'
import { SendButton } from './SendButton.tsx'
import { TransactionsPanel } from './TransactionsPanel.tsx'

const css = classNames(styles)

let announceFirstView = () => {}
/** Resolves once the screen has been painted. Until then nothing that loads later may take time from it. */
const firstView = new Promise<void>((resolve) => {
  announceFirstView = resolve
})

/** A part of the screen that loads after the first view. */
const later = (load: () => Promise<ComponentType>) =>
  lazy(() => firstView.then(async () => ({ default: await load() })))

const ChainTools = later(async () => (await import('./ChainTools.tsx')).ChainTools)
const SendForm = later(async () => (await import('./SendForm.tsx')).SendForm)
const Elsewhere = later(async () => (await import('./Elsewhere.tsx')).Elsewhere)
const LatencyPanel = later(async () => (await import('./latency/LatencyPanel.tsx')).LatencyPanel)

/** The running chain: mempool, pending block and sealed blocks, and actions on it. */
export function LiveScreen() {
  useTitle('Live')
  const { remote, fork } = useSession()
  const { preconfirms, accounts, devnet, film } = useCapabilities()
  const elsewhere = film || remote || fork
  useEffect(() => {
    // A page in the background has no frames.
    if (document.hidden) announceFirstView()
    else requestAnimationFrame(() => setTimeout(announceFirstView))
  }, [])
  return (
    <>
      <ScreenHeading
        title={film || !preconfirms ? 'A chain, block by block' : 'A chain that answers before it confirms'}
        lead={
          elsewhere
            ? undefined
            : 'A complete layer-2 devnet, running in your browser. Send a transaction and watch it enter the pending block ' +
              'within 200 ms, long before the block is sealed.'
        }
      >
        {accounts.length > 0 && <SendButton />}
      </ScreenHeading>
      {elsewhere && (
        <Later waiting={null}>
          <Elsewhere />
        </Later>
      )}
      <Ribbon />
      {accounts.length > 0 && (
        <div className={css('pair')}>
          <div className={css('stack')}>
            <Race />
            {devnet && (
              <Later>
                <LatencyPanel />
              </Later>
            )}
            <Later>
              <SendForm />
            </Later>
          </div>
          <div className={css('stack')}>
            {devnet && (
              <Later>
                <ChainTools />
              </Later>
            )}
          </div>
        </div>
      )}
      <Explanation />
      <TransactionsPanel />
    </>
  )
}

/** Wraps parts that are loaded after the first view. */
function Later({
  waiting = <div className={css('waiting')} aria-hidden="true" />,
  children,
}: {
  waiting?: ReactNode
  children: ReactNode
}) {
  return (
    <LoadBoundary
      waiting={waiting}
      renderFailure={(error) => <p className="note">A part of this screen could not be loaded: {error.message}</p>}
    >
      {children}
    </LoadBoundary>
  )
}
