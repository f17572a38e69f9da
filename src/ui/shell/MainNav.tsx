import { useLocation } from 'wouter'
import { AppLink } from '#ui/components/AppLink.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './MainNav.module.css'
import { NAV } from './routes.ts'

const css = classNames(styles)

/** The ways to the screens. */
export function MainNav() {
  const [location] = useLocation()
  return (
    <nav aria-label="Screens" className={css('nav')}>
      {NAV.map(({ to, label, isAt }) => (
        <AppLink key={to} to={to} className={css('link')} aria-current={isAt(location) ? 'page' : undefined}>
          {label}
        </AppLink>
      ))}
    </nav>
  )
}
