import { useLocation } from 'wouter'
import { AppLink } from '#ui/components/AppLink.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Nav.module.css'
import { NAV_ROUTES } from './routes.ts'

const css = classNames(styles)

/** The way to the screens. */
export function Nav() {
  const [location] = useLocation()
  return (
    <nav aria-label="Screens" className={css('nav')}>
      {NAV_ROUTES.map(({ path, label }) => (
        <AppLink key={path} to={path} className={css('link')} aria-current={location === path ? 'page' : undefined}>
          {label}
        </AppLink>
      ))}
    </nav>
  )
}
