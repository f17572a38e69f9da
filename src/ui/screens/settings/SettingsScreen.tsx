import type { RpcRoute } from '#client/register-service-worker.ts'
import type { Observable } from '#client/session/connection-state.ts'
import { ScreenHeading } from '#ui/components/layout/ScreenHeading.tsx'
import { useTitle } from '#ui/page/navigation.ts'
import { useCapabilities, useReadOnly, useSession } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { AccountsPanel } from './AccountsPanel.tsx'
import { ChainPanel, TimePanel } from './ChainPanels.tsx'
import { AppearancePanel, EndpointPanel, ShortcutsPanel, StoragePanel } from './PagePanels.tsx'
import styles from './SettingsScreen.module.css'

const css = classNames(styles)

/** Settings of the chain and of the page. */
export function SettingsScreen({ route }: { route: Observable<RpcRoute> }) {
  useTitle('Settings')
  const { devnet } = useCapabilities()
  const readOnly = useReadOnly()
  const { remote } = useSession()
  const ofPage = (
    <>
      <AppearancePanel />
      <EndpointPanel route={route} />
    </>
  )
  return (
    <>
      <ScreenHeading
        title="Settings"
        lead={
          devnet
            ? 'Chain options, clock, and appearance.'
            : 'This endpoint is not a Blinknet node, so its options and its clock are not shown.'
        }
      />
      <div className={css('columns')}>
        <div className={css('column')}>
          {devnet && <ChainPanel />}
          {devnet && !readOnly && <TimePanel />}
          {!remote && !readOnly && <StoragePanel />}
          {!devnet && ofPage}
        </div>
        <div className={css('column')}>
          {devnet && ofPage}
          <ShortcutsPanel />
        </div>
      </div>
      <AccountsPanel />
      <p className="muted">
        Blinknet is under the MIT license.{' '}
        <a href={`${import.meta.env.BASE_URL}THIRD-PARTY-NOTICES.txt`} target="_blank" rel="noreferrer">
          Licenses of the software in this page
        </a>
      </p>
    </>
  )
}
