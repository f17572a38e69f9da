import { Plug, Share2 } from 'lucide-react'
import { Mark } from '#ui/chain/Mark.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { EndpointButton } from '#ui/connect/EndpointButton.tsx'
import { useReadOnly, useSession } from '#ui/page/session.ts'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { ChainPill } from './ChainPill.tsx'
import styles from './Header.module.css'
import { Nav } from './Nav.tsx'
import { SearchButton } from './SearchButton.tsx'

const css = classNames(styles)

/** One row: the mark, the screens, the chain in a pill, search and share. */
export function Header() {
  const readOnly = useReadOnly()
  const { remote } = useSession()
  return (
    <header className={css('header')}>
      <div className={css('row')}>
        <AppLink to="/" className={css('brand')} aria-label="Blinknet, home">
          <Mark />
          <span className={css('word')}>Blinknet</span>
        </AppLink>
        <Nav />
        <div className={css('tools')}>
          <ChainPill />
          {remote && <EndpointButton remote={remote} />}
          <SearchButton />
          {!readOnly && (
            <Button
              size="small"
              aria-haspopup="dialog"
              aria-label="Connect a dapp"
              title="Connect a dapp"
              onClick={() => openDialog('connect')}
            >
              <Plug size={14} aria-hidden="true" />
              <span className={css('label')}>Connect</span>
            </Button>
          )}
          {!readOnly && (
            <Button size="small" aria-haspopup="dialog" onClick={() => openDialog('share')}>
              <Share2 size={14} aria-hidden="true" />
              <span className={css('label')}>Share</span>
            </Button>
          )}
        </div>
      </div>
    </header>
  )
}
