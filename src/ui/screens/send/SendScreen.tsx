import { useLocation, useSearch } from 'wouter'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { NotFound } from '#ui/components/layout/NotFound.tsx'
import { ScreenHeading } from '#ui/components/layout/ScreenHeading.tsx'
import { useTitle } from '#ui/page/navigation.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { Composer } from './Composer.tsx'
import { ErrorGallery } from './ErrorGallery.tsx'
import { RawComposer } from './RawComposer.tsx'
import { SEND_VIEWS, type SendView, sendViewOf } from './send-kinds.ts'

const LEADS: Readonly<Record<SendView, string>> = {
  transfer: 'Moves ETH from one account to another.',
  call: 'Calls a function of a contract.',
  deploy: 'Deploys a contract from bytecode.',
  raw: 'Sends a transaction that you signed elsewhere.',
  errors: 'Every reason the node can reject a transaction – try them.',
}

/** Composes a transaction by hand, explains its bytes and predicts its outcome. */
export function SendScreen({ view: name }: { view?: string | undefined }) {
  const view = sendViewOf(name)
  if (view) return <Send view={view} />
  return (
    <NotFound title="Page not found">
      <p>
        Nothing is here. To make a transaction, go to <code>/send</code>.
      </p>
    </NotFound>
  )
}

function Send({ view }: { view: SendView }) {
  useTitle(view === 'errors' ? 'Errors' : 'Send')
  const [, navigate] = useLocation()
  const search = useSearch()
  const go = (to: SendView) => navigate(`/send/${to}${search ? `?${search}` : ''}`)
  return (
    <>
      <ScreenHeading title={view === 'errors' ? 'Transaction errors' : 'Send a transaction'} lead={LEADS[view]}>
        <Segmented legend="Kind of transaction" options={SEND_VIEWS} value={view} onChange={go} />
      </ScreenHeading>
      <View view={view} />
    </>
  )
}

function View({ view }: { view: SendView }) {
  const { accounts, devnet, film } = useCapabilities()
  if (film) {
    return (
      <p>
        This chain is a film: it can be watched, not changed, so nothing can be sent. To go on from it, leave the film
        and import its file, or start a node with it: <code>npx blinknet --load-state FILE</code>.
      </p>
    )
  }
  if (view === 'errors') {
    if (devnet) return <ErrorGallery />
    return <p>This endpoint does not have the methods that prepare these errors, so there is nothing to try here.</p>
  }
  if (view === 'raw') return <RawComposer />
  if (accounts.length > 0) return <Composer key={view} kind={view} />
  return (
    <p>
      This endpoint has no development accounts, so this page has no keys to sign with. You can send transactions that
      you signed elsewhere under Raw.
    </p>
  )
}
