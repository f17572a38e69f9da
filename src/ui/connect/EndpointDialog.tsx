import { useState } from 'react'
import { parseEndpoint } from '#client/session/remote-endpoint.ts'
import { TextField } from '#ui/components/form/TextField.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { useConnection, useRemoteStatus, useSession } from '#ui/page/session.ts'
import { isUnstored, MEMORY_ENDS } from '#ui/storage/storage-words.ts'
import { AddressDialog } from './AddressDialog.tsx'
import { goRemote } from './endpoint-address.ts'

/** Attaches the page to a remote chain, or back to its own. */
export function EndpointDialog({ onClose }: { onClose: () => void }) {
  const { remote } = useSession()
  const [url, setUrl] = useState(remote?.endpoint.url ?? 'http://127.0.0.1:8545')
  const [checked, setChecked] = useState(false)
  const parsed = parseEndpoint(url)
  return (
    <AddressDialog
      title="Endpoint"
      standing={<Standing />}
      canLeave={remote?.served === false}
      action="Connect"
      onSubmit={() => {
        setChecked(true)
        if (parsed.ok) goRemote(parsed.endpoint.url)
      }}
      onClose={onClose}
    >
      <TextField
        label="URL of a node"
        hint="HTTP or WebSocket: npm run node, anvil, or any Ethereum node. It must allow this page’s origin (CORS)."
        error={checked && !parsed.ok ? parsed.why : undefined}
        look="mono"
        type="url"
        inputMode="url"
        value={url}
        onChange={setUrl}
      />
    </AddressDialog>
  )
}

/** The current chain. */
function Standing() {
  const { remote, chain } = useSession()
  const connection = useConnection()
  const status = useRemoteStatus()
  if (!remote) {
    return chain === undefined || isUnstored(connection)
      ? `This page shows its own chain. It is in memory only and ${MEMORY_ENDS}. Export it first if you want to keep it.`
      : 'This page shows its own chain. It stays stored in this browser while the page is connected to another chain.'
  }
  if (status?.status !== 'attached') return `Not connected to ${remote.endpoint.host} yet.`
  const { chainId, clientVersion } = status
  const client = clientVersion === '' ? '' : `, ${othersText(clientVersion, LONGEST_NAME)}`
  return `Connected to ${remote.endpoint.host}: chain ${chainId}${client}.`
}
