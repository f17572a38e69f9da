import { type FormEvent, useId, useState } from 'react'
import { parseEndpoint } from '#client/session/remote-endpoint.ts'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { useConnection, useRemoteStatus, useSession } from '#ui/page/session.ts'
import { isUnstored, MEMORY_ENDS } from '#ui/storage/storage-words.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './EndpointDialog.module.css'
import { goRemote } from './endpoint-address.ts'
import { LeaveButton } from './LeaveButton.tsx'

const css = classNames(styles)

/** Attaches the page to a remote chain, or back to its own. */
export function EndpointDialog({ onClose }: { onClose: () => void }) {
  const { remote } = useSession()
  const form = useId()
  const [url, setUrl] = useState(remote?.endpoint.url ?? 'http://127.0.0.1:8545')
  const [checked, setChecked] = useState(false)
  const parsed = parseEndpoint(url)

  function submit(event: FormEvent): void {
    event.preventDefault()
    setChecked(true)
    if (parsed.ok) goRemote(parsed.endpoint.url)
  }

  return (
    <Dialog
      title="Endpoint"
      onDismiss={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form={form} look="primary">
            Connect
          </Button>
        </>
      }
    >
      <Standing />
      {remote && !remote.served && (
        <p>
          <LeaveButton size="small" />
        </p>
      )}
      <form id={form} onSubmit={submit} noValidate>
        <TextField
          label="Address of a node"
          hint="HTTP or WebSocket: npm run node, anvil, or any Ethereum node. It must allow this page’s origin (CORS)."
          error={checked && !parsed.ok ? parsed.why : undefined}
          look="mono"
          type="url"
          inputMode="url"
          value={url}
          onChange={setUrl}
        />
      </form>
    </Dialog>
  )
}

/** The current chain. */
function Standing() {
  const { remote, chain } = useSession()
  const connection = useConnection()
  const status = useRemoteStatus()
  if (!remote) {
    return (
      <p className={css('standing')}>
        This page shows its own chain.{' '}
        {chain === undefined || isUnstored(connection)
          ? `It is in memory only and ${MEMORY_ENDS}. Export it first if you want to keep it.`
          : 'It stays stored in this browser while the page is connected to another chain.'}
      </p>
    )
  }
  if (status?.status !== 'attached')
    return <p className={css('standing')}>Not connected to {remote.endpoint.host} yet.</p>
  return (
    <p className={css('standing')}>
      Connected to {remote.endpoint.host}: chain {status.chainId}
      {status.clientVersion !== '' && `, ${othersText(status.clientVersion, LONGEST_NAME)}`}.
    </p>
  )
}
