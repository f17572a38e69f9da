import type { ComponentProps } from 'react'
import { Link, useSearch } from 'wouter'
import { beginScreen } from '#ui/page/navigation.ts'

/**
 * A link within the page. It keeps the set-up in the address (`?clock=manual`), and the new screen starts at its top
 * with the focus. (If it opens another tab or window, the router does not call back.)
 */
export function AppLink({ to, ...rest }: { to: string } & Omit<ComponentProps<'a'>, 'href' | 'onClick'>) {
  const search = useSearch()
  return <Link {...rest} href={search ? `${to}?${search}` : to} onClick={beginScreen} />
}
