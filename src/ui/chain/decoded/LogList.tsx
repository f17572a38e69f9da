import type { ReactNode } from 'react'
import type { RpcLog } from '#rpc-types/objects.ts'
import { Address } from '#ui/chain/Address.tsx'
import { decodeLog, type RawLog } from '#ui/decode/decode-log.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { DecodedView } from './DecodedView.tsx'
import styles from './LogList.module.css'
import { Bytes } from './Value.tsx'

const css = classNames(styles)

/**
 * Logs, decoded as far as possible.
 *
 * @param aside - More about a log, shown beside it.
 */
export function LogList({ logs, aside }: { logs: readonly RpcLog[]; aside?: (log: RpcLog) => ReactNode }) {
  return (
    <ol className={css('logs')} aria-label="Logs">
      {logs.map((log) => (
        <li key={`${log.blockNumber}-${log.logIndex}`} className={css('log')}>
          <p className={css('head')}>
            <span className={css('index')}>Log {Number(log.logIndex)}</span>
            <Address address={log.address} />
            {aside?.(log)}
          </p>
          <LogContent log={log} />
        </li>
      ))}
    </ol>
  )
}

/** A log decoded by its ABI, or its topics and data. */
export function LogContent({ log }: { log: RawLog }) {
  const contracts = useContracts()
  const decoded = decodeLog(contracts, log)
  return (
    <>
      {decoded ? <DecodedView decoded={decoded} token={log.address} /> : <RawContent log={log} />}
      {decoded && (
        <details className={css('raw')}>
          <summary>Topics and data</summary>
          <RawContent log={log} />
        </details>
      )}
    </>
  )
}

function RawContent({ log: { topics, data } }: { log: RawLog }) {
  return (
    <dl className={css('fields')}>
      {topics.map((topic, i) => (
        // Topics may repeat, so their index is the key.
        <div key={i} className={css('field')}>
          <dt>Topic {i}</dt>
          <dd>
            <Bytes bytes={topic} label={`Topic ${i}`} />
          </dd>
        </div>
      ))}
      <div className={css('field')}>
        <dt>Data</dt>
        <dd>
          <Bytes bytes={data} label="Data" />
        </dd>
      </div>
    </dl>
  )
}
