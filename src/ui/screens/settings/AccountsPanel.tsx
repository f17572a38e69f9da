import { useQuery } from '@tanstack/react-query'
import { DEV_ACCOUNTS, type DevAddress } from '#client/signing/dev-accounts.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Amount } from '#ui/components/Amount.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { type Column, Table } from '#ui/components/Table.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { formatEth } from '#ui/format/numbers.ts'
import { TEST_KEYS } from '#ui/own/test-keys.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { balanceQuery } from '#ui/queries/accounts.ts'
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
    </Panel>
  )
}

const COLUMNS: readonly Column<DevAddress>[] = [
  { name: 'Account', cell: ({ address }) => <Address address={address} /> },
  { name: 'Pending balance', numeric: true, cell: ({ address }) => <Balance address={address} /> },
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
