import { Monitor, Moon, Sun } from 'lucide-react'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Segmented } from '#ui/components/Segmented.tsx'
import { EndpointButton } from '#ui/connect/EndpointButton.tsx'
import { useCapabilities, useSession } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { chooseTheme, useAppearance } from './appearance.ts'
import { ChainMenu } from './ChainMenu.tsx'
import { ChainStatus } from './ChainStatus.tsx'
import { ClockControls } from './ClockControls.tsx'
import styles from './Header.module.css'
import { Nav } from './Nav.tsx'

const css = classNames(styles)

const THEMES = [
  { value: 'system', label: 'System theme', icon: <Monitor size={15} aria-hidden="true" /> },
  { value: 'light', label: 'Light theme', icon: <Sun size={15} aria-hidden="true" /> },
  { value: 'dark', label: 'Dark theme', icon: <Moon size={15} aria-hidden="true" /> },
] as const

export function Header() {
  const theme = useAppearance((appearance) => appearance.theme)
  const { devnet } = useCapabilities()
  const { remote } = useSession()
  return (
    <header className={css('header')}>
      <div className={css('inner')}>
        <AppLink to="/" className={css('brand')} aria-label="Blinknet, home">
          <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true" className={css('mark')}>
            <circle cx="11" cy="11" r="8.75" fill="none" stroke="currentColor" strokeWidth="2.5" />
            <path d="M11 2.25a8.75 8.75 0 0 1 0 17.5z" fill="currentColor" />
          </svg>
          Blinknet
        </AppLink>
        <Nav />
        <ChainStatus />
        <div className={css('tools')}>
          {devnet && <ClockControls />}
          {remote ? <EndpointButton remote={remote} /> : <ChainMenu />}
          <Segmented legend="Theme" options={THEMES} value={theme} onChange={chooseTheme} />
        </div>
      </div>
    </header>
  )
}
