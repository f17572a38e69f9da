import { useSyncExternalStore } from 'react'
import type { RpcRoute } from '#client/register-service-worker.ts'
import type { Observable } from '#client/session/connection-state.ts'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './RpcAddress.module.css'

const css = classNames(styles)

/** The URL where other scripts of the origin can call the chain, or why they cannot. */
export function RpcAddress({ route }: { route: Observable<RpcRoute> }) {
  const now = useSyncExternalStore(route.subscribe, route.get)
  return (
    <footer className={css('footer')} aria-label="RPC endpoint">
      {now.status === 'ready' ? (
        <p className={css('line')}>
          In this browser only: fetch <code className={css('url')}>{now.url}</code>
          <CopyButton value={now.url} label="RPC endpoint" />
        </p>
      ) : (
        <p className={css('line')}>
          {now.status === 'starting'
            ? 'Setting up the RPC endpoint for this site’s scripts…'
            : `Scripts of this site have no RPC endpoint. ${now.reason}`}
        </p>
      )}
    </footer>
  )
}
