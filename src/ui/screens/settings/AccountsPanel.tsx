import { useMutation, useQuery } from '@tanstack/react-query'
import { DEV_ACCOUNTS, type DevAddress } from '#client/signing/dev-accounts.ts'
import type { Address as AddressHex } from '#primitives/hex.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Amount } from '#ui/components/Amount.tsx'
import { Button } from '#ui/components/Button.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { type Column, Table } from '#ui/components/Table.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatEth } from '#ui/format/numbers.ts'
import { stopImpersonating } from '#ui/own/impersonate.ts'
import { useImpersonated } from '#ui/own/impersonated.ts'
import { TEST_KEYS } from '#ui/own/test-keys.ts'
import { useCapabilities, useProvider, useReadOnly } from '#ui/page/session.ts'
import { balanceQuery } from '#ui/queries/accounts.ts'
import { useFollowImpersonated } from '#ui/queries/impersonated.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SettingsScreen.module.css'

const css = classNames(styles)

/** The development accounts, with their pending balances, and their keys to copy. */
export function AccountsPanel() {
  const { accounts } = useCapabilities()
  const listed = DEV_ACCOUNTS.filter(({ address }) => accounts.includes(address))
  return (
    <Panel title="Development accounts" aside="public keys – test only">
      {listed.length === 0 ? (
        <p className="muted">This endpoint has no development accounts.</p>
      ) : (
        <>
          <p className={css('warning')}>{TEST_KEYS}</p>
          <Table
            label="Development accounts"
            columns={COLUMNS}
            items={listed}
            keyOf={({ index }) => index}
            className={css('accounts')}
          />
        </>
      )}
      <ImpersonatedAccounts />
    </Panel>
  )
}

/** Accounts without a key here, for which the chain sends. */
function ImpersonatedAccounts() {
  useFollowImpersonated()
  const addresses = useImpersonated()
  if (addresses.size === 0) return null
  return (
    <section className={css('impersonated')} aria-label="Impersonated accounts">
      <h3>Impersonated accounts</h3>
      <p className="note">{NO_KEYS}</p>
      <Table
        label="Impersonated accounts"
        columns={IMPERSONATED_COLUMNS}
        items={[...addresses]}
        keyOf={(address) => address}
        className={css('accounts')}
      />
    </section>
  )
}

const NO_KEYS =
  'They have no keys to copy or to export: the chain sends for them without, and what they sign is valid on this chain alone.'

const IMPERSONATED_COLUMNS: readonly Column<AddressHex>[] = [
  { name: 'Account', cell: (address) => <Address address={address} /> },
  { name: 'Pending balance', numeric: true, narrow: 'last', cell: (address) => <Balance address={address} /> },
  {
    name: 'Address',
    cell: (address) => (
      <>
        <code className={css('digits')}>{address}</code>
        <CopyButton value={address} label={`Address of ${shortHex(address)}`} />
      </>
    ),
  },
  { name: 'Impersonating', cell: (address) => <Stop address={address} /> },
]

function Stop({ address }: { address: AddressHex }) {
  const provider = useProvider()
  const readOnly = useReadOnly()
  const { mutate, isPending, error } = useMutation({ mutationFn: () => stopImpersonating(provider, address) })
  if (readOnly) return null
  return (
    <>
      <Button
        size="small"
        disabled={isPending}
        aria-label={`Stop impersonating ${shortHex(address)}`}
        onClick={() => mutate()}
      >
        Stop
      </Button>
      {error && <ErrorNote error={error} />}
    </>
  )
}

const COLUMNS: readonly Column<DevAddress>[] = [
  { name: 'Account', cell: ({ address }) => <Address address={address} /> },
  { name: 'Pending balance', numeric: true, narrow: 'last', cell: ({ address }) => <Balance address={address} /> },
  {
    name: 'Address',
    cell: ({ name, address }) => (
      <>
        <code className={css('digits')}>{address}</code>
        <CopyButton value={address} label={`Address of ${name}`} />
      </>
    ),
  },
  { name: 'Key', cell: ({ name, privateKey }) => <CopyButton value={privateKey} label={`Private key of ${name}`} /> },
]

function Balance({ address }: Pick<DevAddress, 'address'>) {
  const version = useFeed((feed) => feed.live?.hash)
  const { data } = useQuery(balanceQuery(useProvider(), address, version ?? ''))
  return data === undefined ? '…' : <Amount wei={data}>{formatEth(data, 2)}</Amount>
}
