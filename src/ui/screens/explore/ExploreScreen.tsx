import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react'
import { AgeClock } from '#ui/chain/Age.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { NotFound } from '#ui/components/layout/NotFound.tsx'
import { ScreenHeading } from '#ui/components/layout/ScreenHeading.tsx'
import { tabClass } from '#ui/components/layout/Tabs.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { LISTS, type ListEntry, type ListName } from '#ui/page/lists.ts'
import { useTitle } from '#ui/page/navigation.ts'
import { AccountList } from './AccountList.tsx'
import { BlockList } from './BlockList.tsx'
import { EventList } from './EventList.tsx'
import { formatPlace, type ListPlace, parsePlace } from './list-place.ts'
import { TransactionList } from './TransactionList.tsx'
import { type ListAddress, type ListProps, useListAddress } from './use-list-address.ts'

const CONTENTS: Readonly<Record<ListName, { lead: string; List: ComponentType<ListProps> }>> = {
  blocks: {
    lead: 'Newest first. The bars show when in its block each transaction was pre-confirmed.',
    List: BlockList,
  },
  transactions: {
    lead: 'All of the chain, newest first, from the moment of their pre-confirmation on.',
    List: TransactionList,
  },
  accounts: {
    lead: 'Who holds what, as of the pending block. Accounts with a name come first.',
    List: (props) => <AccountList kind="accounts" {...props} />,
  },
  contracts: {
    lead: 'Everything with code. Contracts that this page knows come first.',
    List: (props) => <AccountList kind="contracts" {...props} />,
  },
  events: {
    lead: 'What contracts have logged, newest first, decoded by the ABIs that this page knows.',
    List: EventList,
  },
}

/** Lists of all that the chain has. */
export function ExploreScreen({ list: name }: { list?: string | undefined }) {
  const list = LISTS.find((each) => each.name === (name ?? 'blocks'))
  if (list) return <Explore key={list.name} list={list} />
  return (
    <NotFound title="Page not found">
      <p>There are lists of blocks, transactions, accounts, contracts and events.</p>
    </NotFound>
  )
}

/** On a phone the lists' names have not all room: moves the one that is open into sight. */
function revealCurrent(names: HTMLElement | null): void {
  const link = names?.querySelector<HTMLElement>('[aria-current]')
  if (names && link) names.scrollLeft = link.offsetLeft + link.offsetWidth - names.offsetLeft - names.clientWidth
}

function Explore({ list: { name: list, path, label: title } }: { list: ListEntry }) {
  const { lead, List } = CONTENTS[list]
  useTitle(title)
  const address = useListAddress(path)
  const reorgs = useFeed((feed) => feed.reorgs)
  const { epoch, start, setPlace, restart } = useStart(address)
  return (
    <>
      <ScreenHeading title={title} lead={lead} />
      <nav ref={revealCurrent} aria-label="Lists" className={tabClass('list')}>
        {LISTS.map(({ name, path: to, label, icon: Icon }) => (
          <AppLink key={name} to={to} className={tabClass('tab')} aria-current={name === list ? 'page' : undefined}>
            <Icon size={15} aria-hidden="true" />
            {name === 'contracts' ? 'Contracts' : label}
          </AppLink>
        ))}
      </nav>
      <AgeClock>
        <List key={`${epoch} ${reorgs}`} address={{ ...address, setPlace }} start={start} onNewest={restart} />
      </AgeClock>
    </>
  )
}

/** Where the list begins: at the place of the address, unless scrolling has put it there. */
function useStart({ place, setPlace }: ListAddress) {
  const at = textOf(place)
  const [begun, setBegun] = useState({ epoch: 0, start: place })
  /** The place that this list has put into the address. */
  const noted = useRef(at)
  const begin = useEffectEvent((start: ListPlace | undefined) => setBegun({ epoch: begun.epoch + 1, start }))
  useEffect(() => {
    if (at === noted.current) return
    // A link or the way back has led here.
    noted.current = at
    begin(parsePlace(at))
  }, [at])
  return {
    ...begun,
    setPlace: (next: ListPlace | undefined) => {
      if (textOf(next) === at) return
      noted.current = textOf(next)
      setPlace(next)
    },
    restart: () => {
      noted.current = undefined
      setBegun({ epoch: begun.epoch + 1, start: undefined })
      setPlace(undefined)
    },
  }
}

const textOf = (place: ListPlace | undefined) => place && formatPlace(place)
