import type { RpcLog } from '#rpc-types/objects.ts'
import { Address } from '#ui/components/Address.tsx'
import { FieldList, FieldRow } from '#ui/components/FieldList.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Logs.module.css'

const css = classNames(styles)

/** Logs as the contract wrote them. */
export function Logs({ logs }: { logs: readonly RpcLog[] }) {
  if (logs.length === 0) return <p className={css('empty')}>This transaction wrote no logs.</p>
  return (
    <ol className={css('logs')}>
      {logs.map((log) => (
        <li key={log.logIndex} className={css('log')}>
          <FieldList>
            <FieldRow name={`Log ${Number(log.logIndex)}`} raw={log.address}>
              <Address address={log.address} full />
            </FieldRow>
            {log.topics.map((topic, i) => (
              // A log's topics never change and may repeat: only their position tells them apart.
              <FieldRow key={i} name={`Topic ${i}`} raw={topic} mono>
                {topic}
              </FieldRow>
            ))}
            <FieldRow name="Data" raw={log.data} mono>
              {log.data}
            </FieldRow>
          </FieldList>
        </li>
      ))}
    </ol>
  )
}
