import type { ComponentProps } from 'react'
import { Link } from 'wouter'
import { beginScreen, useWithSetup } from '#ui/page/navigation.ts'

/**
 * A link within the page. It keeps the set-up in the address (`?clock=manual`), and the new screen starts at its top
 * with the focus. (If it opens another tab or window, the router does not call back.)
 */
export function AppLink({ to, ...rest }: { to: string } & Omit<ComponentProps<'a'>, 'href' | 'onClick'>) {
  return <Link {...rest} href={useWithSetup()(to)} onClick={beginScreen} />
}
