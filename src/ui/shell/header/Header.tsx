import { Share2 } from 'lucide-react'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { EndpointButton } from '#ui/connect/EndpointButton.tsx'
import { useCapabilities, useReadOnly, useSession } from '#ui/page/session.ts'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { ChainMenu } from './ChainMenu.tsx'
import { ChainStatus } from './ChainStatus.tsx'
import { ClockControls } from './ClockControls.tsx'
import styles from './Header.module.css'
import { Nav } from './Nav.tsx'
import { SearchButton } from './SearchButton.tsx'

const css = classNames(styles)

/** Two rows: the page's screens and search; the chain's state and clock. */
export function Header() {
  const { devnet } = useCapabilities()
  const readOnly = useReadOnly()
  const { remote } = useSession()
  return (
    <header className={css('header')}>
      <div className={css('row', 'page')}>
        <AppLink to="/" className={css('brand')} aria-label="Blinknet, home">
          <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true" className={css('mark')}>
            <circle cx="11" cy="11" r="8.75" fill="none" stroke="currentColor" strokeWidth="2.5" />
            <path d="M11 2.25a8.75 8.75 0 0 1 0 17.5z" fill="currentColor" />
          </svg>
          Blinknet
        </AppLink>
        <Nav />
        <div className={css('tools')}>
          <SearchButton />
          {!remote && !readOnly && (
            <Button size="small" aria-haspopup="dialog" onClick={() => openDialog('share')}>
              <Share2 size={14} aria-hidden="true" />
              Share
            </Button>
          )}
        </div>
      </div>
      <div className={css('row', 'chain')}>
        <ChainStatus />
        <div className={css('tools')}>
          {devnet && !readOnly && <ClockControls />}
          {remote ? <EndpointButton remote={remote} /> : !readOnly && <ChainMenu />}
        </div>
      </div>
    </header>
  )
}
