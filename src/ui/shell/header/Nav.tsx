import { useLocation } from 'wouter'
import { isGuest } from '#client/session/capabilities.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import { NAV_ROUTES } from '#ui/page/navigation.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Nav.module.css'

const css = classNames(styles)

/** Links to the screens; on a phone at the bottom of the window, within reach of a thumb. */
export function Nav() {
  const [location] = useLocation()
  const isOfGuest = isGuest(useCapabilities())
  return (
    <nav aria-label="Screens" className={css('nav')}>
      {NAV_ROUTES.filter(({ sends }) => !sends || !isOfGuest).map(({ path, label, icon: Icon }) => (
        <AppLink key={path} to={path} className={css('link')} aria-current={isAt(location, path) ? 'page' : undefined}>
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
