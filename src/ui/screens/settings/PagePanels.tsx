import { useSyncExternalStore } from 'react'
import type { RpcRoute } from '#client/register-service-worker.ts'
import type { Observable } from '#client/session/connection-state.ts'
import { Button } from '#ui/components/Button.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { ShortcutList } from '#ui/components/ShortcutList.tsx'
import { LeaveButton } from '#ui/connect/LeaveButton.tsx'
import { chooseMotion, chooseTheme, useAppearance } from '#ui/page/appearance.ts'
import { chainPrefix } from '#ui/page/page-base.ts'
import { useSession } from '#ui/page/session.ts'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { chooseSingleKeys, useSingleKeys } from '#ui/page/single-keys.ts'
import { StorageStanding } from '#ui/storage/StorageStanding.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SettingsScreen.module.css'

const css = classNames(styles)

/** Shows where this page's chain runs, and how others reach it. */
export function EndpointPanel({ route }: { route: Observable<RpcRoute> }) {
  const { remote } = useSession()
  const now = useSyncExternalStore(route.subscribe, route.get)
  const here = `${location.origin}${chainPrefix() ?? ''}`
  return (
    <Panel title="Endpoint" aside={remote && (remote.served ? 'server' : 'remote')}>
      <div className={css('stack')}>
        {remote?.served ? (
          <p className={css('row')}>
            This page and its chain come from {remote.endpoint.host}. Others reach the chain over HTTP and WebSocket at{' '}
            <code className={css('digits')}>{here}</code>
            <CopyButton value={here} label="URL of the RPC endpoint" />
          </p>
        ) : remote ? (
          <p>
            This page shows the chain at <code className={css('digits')}>{remote.endpoint.url}</code>.
          </p>
        ) : (
          <>
            <p>The chain runs in this browser.</p>
            {now.status === 'ready' ? (
              <p className={css('row', 'endpoint')}>
                While a tab has it open, scripts of this site reach it over HTTP at{' '}
                <code className={css('digits')}>{now.url}</code>
                <CopyButton value={now.url} label="URL of the RPC endpoint" />
              </p>
            ) : (
              <p className={`${css('endpoint')} muted`}>
                {now.status === 'starting'
                  ? 'Setting up its RPC endpoint…'
                  : `Scripts of this site have no RPC endpoint. ${now.reason}`}
              </p>
            )}
          </>
        )}
        <div className={css('row')}>
          <Button size="small" onClick={() => openDialog('endpoint')}>
            {remote ? 'Another endpoint…' : 'Connect to a remote chain…'}
          </Button>
          <Button size="small" onClick={() => openDialog('fork')}>
            Fork a chain…
          </Button>
          <LeaveButton size="small" />
        </div>
      </div>
    </Panel>
  )
}

/** Storage of the page's own chain. */
export function StoragePanel() {
  const { fork } = useSession()
  return (
    <Panel title="Storage and snapshots">
      <div className={css('stack')}>
        <StorageStanding />
        <div className={css('row')}>
          <Button size="small" onClick={() => openDialog(fork ? 'fork' : 'storage')}>
            {fork ? 'About this fork…' : 'Export, import or start fresh…'}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

const THEMES = [
  { value: 'system', label: 'Same as system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

const MOTIONS = [
  { value: 'system', label: 'Same as system' },
  { value: 'off', label: 'Off' },
] as const

/** Appearance of the page; stored for the next visit. */
export function AppearancePanel() {
  const { theme, motion } = useAppearance()
  return (
    <Panel title="Appearance" about="Saved in this browser">
      <dl className={css('choices')}>
        <dt>Theme</dt>
        <dd>
          <Segmented legend="Theme" options={THEMES} value={theme} onChange={chooseTheme} />
        </dd>
        <dt>Motion</dt>
        <dd>
          <Segmented legend="Motion" options={MOTIONS} value={motion} onChange={chooseMotion} />
        </dd>
      </dl>
    </Panel>
  )
}

const SINGLE_KEYS = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
] as const

/** The shortcuts, and whether letters, digits and signs are any; stored for the next visit. */
export function ShortcutsPanel() {
  const { on } = useSingleKeys()
  return (
    <Panel title="Keyboard shortcuts">
      <dl className={css('choices', 'keys')}>
        <dt>Single-key shortcuts</dt>
        <dd>
          <Segmented
            legend="Single-key shortcuts"
            options={SINGLE_KEYS}
            value={on ? 'on' : 'off'}
            onChange={chooseSingleKeys}
          />
        </dd>
      </dl>
      <ShortcutList />
    </Panel>
  )
}
