import { useLocation } from 'wouter'
import { AppLink } from '#ui/components/AppLink.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Nav.module.css'
import { NAV_ROUTES } from './routes.ts'

const css = classNames(styles)

/** The ways to the screens. */
export function Nav() {
  const [location] = useLocation()
  return (
    <nav aria-label="Screens" className={css('nav')}>
      {NAV_ROUTES.map(({ path, label }) => (
        <AppLink key={path} to={path} className={css('link')} aria-current={isAt(location, path) ? 'page' : undefined}>
          {label}
        </AppLink>
      ))}
    </nav>
  )
}

/** Whether an address is of a screen, or of a part of it. */
function isAt(location: string, path: string): boolean {
  return location === path || (path !== '/' && location.startsWith(`${path}/`))
}
