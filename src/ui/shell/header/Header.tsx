import { Plug, Search, Share2 } from 'lucide-react'
import { useLocation } from 'wouter'
import { isGuest } from '#client/session/capabilities.ts'
import type { RemoteView } from '#client/session/session.ts'
import { Mark } from '#ui/chain/Mark.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { NAV_ROUTES } from '#ui/page/navigation.ts'
import { useCapabilities, useReadOnly, useSession } from '#ui/page/session.ts'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { isMac } from '#ui/page/use-shortcut.ts'
import { loadAhead } from '#ui/screens/screens.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { ChainPill } from './ChainPill.tsx'
import styles from './Header.module.css'

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
            <Button aria-haspopup="dialog" aria-label="Share" onClick={() => openDialog('share')}>
              <Share2 size={14} aria-hidden="true" />
              <span className={css('label')}>Share</span>
            </Button>
          )}
        </div>
      </div>
    </header>
  )
}

/** Opens the palette, and shows its key. */
function SearchButton() {
  return (
    <button
      type="button"
      className={css('button')}
      aria-haspopup="dialog"
      aria-label="Search or run a command"
      title="Search or run a command"
      aria-keyshortcuts={isMac() ? 'Meta+K' : 'Control+K'}
      onClick={() => openDialog('palette')}
    >
      <Search size={15} aria-hidden="true" />
      <kbd className={css('key')} aria-hidden="true">
        {isMac() ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  )
}

/** Links to the screens; on a phone at the bottom of the window, within reach of a thumb. */
function Nav() {
  const [location] = useLocation()
  const isOfGuest = isGuest(useCapabilities())
  const { film } = useSession()
  // A film without a way out is a file that holds nothing else.
  const sendsNever = isOfGuest || (film && !film.leave)
  return (
    <nav aria-label="Screens" className={css('nav')}>
      {NAV_ROUTES.filter(({ sends }) => !sends || !sendsNever).map(({ path, label, icon: Icon }) => (
        <AppLink
          key={path}
          to={path}
          className={css('link')}
          aria-current={isAt(location, path) ? 'page' : undefined}
          onPointerEnter={() => loadAhead(path)}
          onFocus={() => loadAhead(path)}
        >
          <Icon size={19} aria-hidden="true" className={css('icon')} />
          {label}
        </AppLink>
      ))}
    </nav>
  )
}

/** Whether an address belongs to a screen or a part of it. */
function isAt(location: string, path: string): boolean {
  return location === path || (path !== '/' && location.startsWith(`${path}/`))
}

/** Shows the remote chain of the page, and opens a dialog to choose another. */
function EndpointButton({ remote: { endpoint } }: { remote: RemoteView }) {
  return (
    <Button
      onClick={() => openDialog('endpoint')}
      aria-haspopup="dialog"
      aria-label={`Endpoint: ${endpoint.host}`}
      title={`Connected to ${endpoint.url}`}
    >
      <Plug size={14} aria-hidden="true" />
      <span className={css('name')}>{endpoint.host}</span>
    </Button>
  )
}
