import type { RpcLog } from '#rpc-types/objects.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Age } from '#ui/chain/Age.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { type Column, Table } from '#ui/components/Table.tsx'
import { decodeLog } from '#ui/decode/decode-log.ts'
import type { Argument, ShownValue } from '#ui/decode/decoded.ts'
import { valueText } from '#ui/decode/value-text.ts'
import { useFeed } from '#ui/feed/store.ts'
import { mediumHex, shortHex } from '#ui/format/hex.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import type { LogWishes } from './chain-lists.ts'
import styles from './EventList.module.css'
import { Filters, TextFilter } from './Filters.tsx'
import { ListView } from './ListView.tsx'
import { Nothing } from './Nothing.tsx'
import { problemOf, resolveAddress, resolveArgument, resolveEvent, resolveRange, valueOf } from './resolve.ts'
import { placeOfLog } from './standard-lists.ts'
import { useAbis, useChainLists, useListVersion, useNames } from './use-chain.ts'
import type { ListProps } from './use-list-address.ts'

const css = classNames(styles)

const COLUMNS: readonly Column<RpcLog>[] = [
  {
    name: 'Block',
    width: '7.5em',
    narrowWidth: '6em',
    fits: true,
    cell: (log) => <Block number={Number(log.blockNumber)} />,
  },
  {
    name: 'Age',
    width: '6.5em',
    narrow: 'detail',
    fits: true,
    cell: ({ blockTimestamp }) => (blockTimestamp === undefined ? '–' : <Age timestamp={Number(blockTimestamp)} />),
  },
  {
    name: 'Contract',
    width: '13em',
    narrow: 'detail',
    fits: true,
    cell: ({ address }) => <Address address={address} />,
  },
  { name: 'Event', fits: true, cell: (log) => <Event log={log} /> },
  {
    name: 'Transaction',
    width: '9.5em',
    narrow: 'detail',
    fits: true,
    cell: ({ transactionHash }) => (
      <AppLink to={`/tx/${transactionHash}/logs`} className="mono">
        {shortHex(transactionHash)}
      </AppLink>
    ),
  },
]

/** What the chain's contracts have logged. */
export function EventList({ address, start, onNewest }: ListProps) {
  const { filters, setFilter, clear, setPlace } = address
  const lists = useChainLists()
  const version = useListVersion()
  const names = useNames()
  const abis = useAbis()
  const contract = resolveAddress(filters['contract'] ?? '', names)
  const event = resolveEvent(filters['event'] ?? '', abis)
  const argument = resolveArgument(filters['argument'] ?? '', names)
  const range = resolveRange(filters['range'] ?? '')
  const problem = [contract, event, argument, range].map(problemOf).find((one) => one !== undefined)
  const isFiltered = Object.keys(filters).length > 0
  const wishes: LogWishes = {
    address: valueOf(contract),
    topics: valueOf(event),
    word: valueOf(argument),
    range: valueOf(range),
  }
  return (
    <>
      <Filters isFiltered={isFiltered} onClear={clear}>
        <TextFilter
          label="Contract"
          value={filters['contract'] ?? ''}
          placeholder="any"
          problem={problemOf(contract)}
          offers={names.map(([name]) => name)}
          onChange={(text) => setFilter('contract', text)}
        />
        <TextFilter
          label="Event"
          value={filters['event'] ?? ''}
          placeholder="any, such as Transfer"
          problem={problemOf(event)}
          onChange={(text) => setFilter('event', text)}
        />
        <TextFilter
          label="Argument"
          value={filters['argument'] ?? ''}
          placeholder="an address or a number"
          problem={problemOf(argument)}
          offers={names.map(([name]) => name)}
          onChange={(text) => setFilter('argument', text)}
        />
        <TextFilter
          label="Blocks"
          value={filters['range'] ?? ''}
          placeholder="all, or 10–20"
          problem={problemOf(range)}
          onChange={(text) => setFilter('range', text)}
        />
      </Filters>
      {problem === undefined ? (
        <ListView<RpcLog>
          key={JSON.stringify(wishes)}
          noun="event"
          source={{ fetchPage: (before) => lists.logs(wishes, before), placeOf: placeOfLog, version }}
          start={start}
          onPlace={setPlace}
          onNewest={onNewest}
          empty={<NoEvents onClear={isFiltered ? clear : undefined} />}
        >
          {(logs, part) => (
            <Table
              label="Events"
              columns={COLUMNS}
              items={logs}
              keyOf={({ blockNumber, logIndex }) => `${blockNumber}.${logIndex}`}
              part={part}
              layout="given"
              sticky
              walk
            />
          )}
        </ListView>
      ) : (
        <Nothing title="Check the filters" onClear={clear}>
          {problem}
        </Nothing>
      )}
    </>
  )
}

function NoEvents({ onClear }: { onClear: (() => void) | undefined }) {
  if (onClear) {
    return (
      <Nothing title="No such events" onClear={onClear}>
        No event of the chain matches these filters.
      </Nothing>
    )
  }
  return (
    <Nothing
      title="No events yet"
      actions={
        <>
          <AppLink to="/contracts">Deploy a contract</AppLink>
          <AppLink to="/send/call">Call a function</AppLink>
        </>
      }
    >
      Only contracts log events. They appear here as soon as they are pre-confirmed.
    </Nothing>
  )
}

function Block({ number }: { number: number }) {
  const isSealed = useFeed(({ sealed }) => number <= (sealed[0]?.number ?? -1))
  return (
    <AppLink to={`/block/${number}`} className={css('block')}>
      <Glyph sign={isSealed ? 'sealed' : 'preconfirmed'} size={10} />#{number}
      <span className="visually-hidden">{isSealed ? ', sealed' : ', pre-confirmed'}</span>
    </AppLink>
  )
}

/** An event in one line: its name and its arguments, as far as they are known. */
function Event({ log }: { log: RpcLog }) {
  const decoded = decodeLog(useContracts(), log)
  if (!decoded) {
    const [topic] = log.topics
    return (
      <span className={css('event')}>
        <AppLink to={`/tx/${log.transactionHash}/logs`} className={css('name', 'unknown')}>
          <code>{topic ? mediumHex(topic) : 'no topic'}</code>
        </AppLink>
      </span>
    )
  }
  const isGuess = decoded.source.kind === 'standard'
  return (
    <span className={css('event')}>
      <AppLink
        to={`/tx/${log.transactionHash}/logs`}
        className={css('name')}
        title={isGuess ? `${decoded.signature}, a guess by its topic` : decoded.signature}
      >
        <code>{decoded.name}</code>
      </AppLink>
      {decoded.args.map((argument, i) => (
        // Arguments may have the same name, or none.
        <ArgumentWords key={i} argument={argument} />
      ))}
    </span>
  )
}

function ArgumentWords({ argument: { name, value } }: { argument: Argument }) {
  return (
    <span className={css('argument')}>
      {name && <span className={css('of')}>{name}</span>}
      <ValueWords value={value} />
    </span>
  )
}

function ValueWords({ value }: { value: ShownValue }) {
  return value.kind === 'address' ? (
    <Address address={value.address} />
  ) : (
    <span>
      {value.kind === 'integer' && value.name === undefined ? formatInteger(value.integer) : valueText(value)}
    </span>
  )
}
