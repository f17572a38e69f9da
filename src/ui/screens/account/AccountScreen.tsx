import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { checksumAddress } from 'viem'
import { findDevAccount } from '#client/signing/dev-accounts.ts'
import type { Address } from '#primitives/hex.ts'
import { useAddressName } from '#ui/chain/Address.tsx'
import { Avatar } from '#ui/chain/Avatar.tsx'
import { Creator } from '#ui/chain/Creator.tsx'
import { Impersonated } from '#ui/chain/Impersonated.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { LoadedPart } from '#ui/components/LoadedPart.tsx'
import { NotFound } from '#ui/components/layout/NotFound.tsx'
import { ScreenHeading } from '#ui/components/layout/ScreenHeading.tsx'
import { type Tab, Tabs, tabOf } from '#ui/components/layout/Tabs.tsx'
import { AccountGap } from '#ui/compose/NonceGapNote.tsx'
import { delegationOf } from '#ui/decode/disassemble.ts'
import type { KnownContract } from '#ui/decode/known-contracts.ts'
import { shortHex } from '#ui/format/hex.ts'
import { useImpersonated } from '#ui/own/impersonated.ts'
import { NO_KEY, TEST_KEYS } from '#ui/own/test-keys.ts'
import { parseRecipient } from '#ui/own/transfer-form.ts'
import { useTitle } from '#ui/page/navigation.ts'
import { useProvider } from '#ui/page/session.ts'
import { codeQuery } from '#ui/queries/accounts.ts'
import { useFollowImpersonated } from '#ui/queries/impersonated.ts'
import { useWatch } from '#ui/queries/standings.ts'
import { useContractAt, useContracts } from '#ui/queries/use-contracts.ts'
import { ContractView } from '#ui/screens/contracts/call/ContractView.tsx'
import { useGuess } from '#ui/screens/contracts/call/use-guess.ts'
import { useProxy } from '#ui/screens/contracts/call/use-proxy.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { AccountActions } from './AccountActions.tsx'
import styles from './AccountScreen.module.css'
import { Code } from './Code.tsx'
import { Logs } from './Logs.tsx'
import { Standing } from './Standing.tsx'
import { Transactions } from './Transactions.tsx'
import { useVersion } from './use-version.ts'

export type AccountTab = 'transactions' | 'tokens' | 'contract' | 'source' | 'logs' | 'code' | 'storage'

/** The tabs of an account's screen; only contracts have those of `CONTRACT_TABS`. */
export const ACCOUNT_TABS: readonly Tab<AccountTab>[] = [
  { id: 'transactions', label: 'Transactions' },
  { id: 'tokens', label: 'Tokens' },
  { id: 'contract', label: 'Contract' },
  { id: 'source', label: 'Source' },
  { id: 'logs', label: 'Logs' },
  { id: 'code', label: 'Code' },
  { id: 'storage', label: 'Storage' },
]

const CONTRACT_TABS: ReadonlySet<AccountTab> = new Set(['contract', 'source'])

const css = classNames(styles)

const Tokens = lazy(async () => ({ default: (await import('./Tokens.tsx')).Tokens }))
const Storage = lazy(async () => ({ default: (await import('./Storage.tsx')).Storage }))
const Source = lazy(async () => ({ default: (await import('./Source.tsx')).Source }))

/**
 * One account, sealed and pending.
 *
 * @param tab - The last part of the page's address.
 */
export function AccountScreen({ address: text, tab: name }: { address: string; tab?: string | undefined }) {
  const tab = tabOf(ACCOUNT_TABS, name)
  const parsed = parseRecipient(text)
  if (!parsed.ok) {
    return (
      <NotFound title="This is not an address">
        <p>An address is 0x and 40 hexadecimal digits. If it contains capital letters, they must match its checksum.</p>
      </NotFound>
    )
  }
  if (!tab) {
    return (
      <NotFound title="Page not found">
        <p>
          An account has the pages transactions, tokens, logs, code and storage; a contract also has contract and
          source. “{name}” is not one of them.
        </p>
      </NotFound>
    )
  }
  return <Account key={parsed.address} address={parsed.address} tab={tab} />
}

function Account({ address, tab }: { address: Address; tab: AccountTab }) {
  const known = useContractAt(address)
  const name = useAddressName(address) ?? known?.name
  useWatch(address)
  useFollowImpersonated()
  const isImpersonated = useImpersonated((all) => all.has(address))
  const checksummed = checksumAddress(address)
  const { data: code, isPending } = useQuery(codeQuery(useProvider(), address, useVersion()))
  const isContract = code === undefined ? known !== undefined : code !== '0x' && delegationOf(code) === undefined
  const what = isContract ? 'Contract' : 'Account'
  // A tab named in the address stays, so that it can say what is missing.
  const tabs = ACCOUNT_TABS.filter(({ id }) => !CONTRACT_TABS.has(id) || isContract || tab === id)
  useTitle(name ?? `${what} ${shortHex(checksummed)}`)
  // A contract has a line and tabs more than an account: they would move what is below and beside them.
  if (isPending && !known && !findDevAccount(address)) return <p>Loading the account…</p>
  return (
    <>
      <ScreenHeading
        title={
          <>
            <Avatar address={address} size={32} className={css('avatar')} />
            {name ?? what} {isImpersonated && <Impersonated />}
          </>
        }
        lead={
          <>
            <span className={css('address')}>
              <span className="mono">{checksummed}</span>
              <CopyButton value={checksummed} label="Address" />
            </span>
            {isContract && <Creator address={address} deployment={known?.deployment} />}
            {findDevAccount(address) && <span className="note">{TEST_KEYS}</span>}
            {isImpersonated && <span className="note">{NO_KEY}</span>}
          </>
        }
      >
        <AccountActions address={address} />
      </ScreenHeading>
      <Standing address={address} isContract={isContract} />
      <AccountGap address={address} />
      <Tabs label="About the account" base={`/address/${address}`} tabs={tabs} current={tab}>
        <Part tab={tab} address={address} />
      </Tabs>
    </>
  )
}

function Part({ tab, address }: { tab: AccountTab; address: Address }) {
  switch (tab) {
    case 'transactions':
      return <Transactions address={address} />
    case 'contract':
      return (
        <>
          <h2 className="visually-hidden">Functions and events</h2>
          <Contract address={address} />
        </>
      )
    case 'tokens':
      return (
        <LoadedPart>
          <Tokens key={address} address={address} />
        </LoadedPart>
      )
    case 'source':
      return (
        <LoadedPart>
          <Source address={address} />
        </LoadedPart>
      )
    case 'logs':
      return <Logs address={address} />
    case 'code':
      return <Code address={address} />
    case 'storage':
      return (
        <LoadedPart>
          <Storage address={address} />
        </LoadedPart>
      )
  }
}

/** A proxy that the page does not know has no functions but those of the contract behind it. */
const UNKNOWN_PROXY: KnownContract = { name: 'Proxy', abi: [] }

/**
 * The functions, events and source of a contract: by its ABI if the page knows it, or that of the contract behind it;
 * otherwise those whose selectors are known.
 */
function Contract({ address }: { address: Address }) {
  const contracts = useContracts()
  const contract = contracts.get(address)
  const proxy = useProxy(address)
  // Nothing is guessed before the builds were asked whose code it is.
  const isLooked = contracts.standing(address) !== undefined
  const guess = useGuess(contract || !isLooked ? undefined : address)
  const about = contract?.wellKnown?.about
  if (about !== undefined) return <p className="empty">{about}</p>
  if (contract) return <ContractView address={address} contract={contract} named={false} />
  if (guess) return <ContractView address={address} contract={guess.contract} guess={guess} named={false} />
  if (proxy) return <ContractView address={address} contract={UNKNOWN_PROXY} named={false} />
  return (
    <p className="empty">
      The page does not know this contract’s ABI, and finds no functions in its code. To add its ABI, open{' '}
      <AppLink to="/contracts">Contracts</AppLink> and choose “At address…”.
    </p>
  )
}
