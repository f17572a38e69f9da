import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { CodeBlock } from '#ui/components/CodeBlock.tsx'
import { CopyTextButton } from '#ui/components/CopyButton.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { useCapabilities, useProvider, useSession } from '#ui/page/session.ts'
import { performChainAction } from '#ui/storage/chain-actions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { AtomicField } from './AtomicField.tsx'
import styles from './DappDialog.module.css'
import { SNIPPETS, type SnippetFor, snippetOf, walletChain } from './snippets.ts'

const css = classNames(styles)

/** Where a server listens unless it is told otherwise. */
const SERVER = 'http://127.0.0.1:8545'

/** How a dapp, a test or a wallet reaches this chain. */
export function DappDialog({ onClose }: { onClose: () => void }) {
  const session = useSession()
  const { remote } = session
  const { devnet } = useCapabilities()
  const provider = useProvider()
  const [library, setLibrary] = useState<SnippetFor>('viem')
  const { data: chainId, error } = useQuery({
    queryKey: ['connect-chain-id'],
    queryFn: async () => Number(await provider.request({ method: 'eth_chainId' })),
  })
  const exporting = useMutation({ mutationFn: () => performChainAction(session, { kind: 'export' }) })
  const url = remote ? remote.endpoint.url : SERVER
  return (
    <Dialog title="Connect a dapp" onDismiss={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      {error && <ErrorNote error={error} />}
      {!remote && (
        <section className={css('part')} aria-label="From outside of this tab">
          <p>
            This chain runs in your browser, where other programs cannot reach it. For a dapp, a test or a wallet, run
            the same chain on your machine:
          </p>
          <CodeBlock>
            {chainId === undefined || chainId === 31337 ? 'npx blinknet' : `npx blinknet --chain-id ${chainId}`}
          </CodeBlock>
          <p className="note">
            To start from this chain’s state, export it and add <code>--load-state</code> with the file.
          </p>
          <div className="row">
            <Button size="small" disabled={exporting.isPending} onClick={() => exporting.mutate()}>
              Export this chain
            </Button>
          </div>
          {exporting.error && <ErrorNote error={exporting.error} />}
        </section>
      )}
      {chainId !== undefined && (
        <section className={css('part')} aria-label="Code">
          <Segmented legend="Library" options={SNIPPETS} value={library} onChange={setLibrary} />
          <CodeBlock>{snippetOf(library, { chainId, url })}</CodeBlock>
          <div className="row">
            <CopyTextButton value={snippetOf(library, { chainId, url })}>code</CopyTextButton>
            <CopyTextButton value={JSON.stringify(walletChain({ chainId, url }), undefined, 2)}>
              wallet parameters
            </CopyTextButton>
          </div>
        </section>
      )}
      {!remote && (
        <section className={css('part')} aria-label="In this tab">
          <p>
            In this tab, and for pages of this site: <code>fetch('rpc')</code> answers JSON-RPC, and a page that
            includes <code>wallet.js</code> gets a wallet with test accounts. Its questions appear here.
          </p>
          <AtomicField />
        </section>
      )}
      {remote && devnet && (
        <section className={css('part')} aria-label="The wallet of this page">
          <AtomicField />
        </section>
      )}
    </Dialog>
  )
}
