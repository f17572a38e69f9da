import type { ComponentProps } from 'react'
import { Link, useSearch } from 'wouter'
import { beginScreen } from '#ui/page/navigation.ts'

/**
 * A link inside the page: set-up in the address (`?clock=manual`) stays when one follows it, and the screen that it
 * leads to begins at its top, with the focus. (Where another tab or window opens, the router does not call back.)
 */
export function AppLink({ to, ...rest }: { to: string } & Omit<ComponentProps<'a'>, 'href' | 'onClick'>) {
  const search = useSearch()
  return <Link {...rest} href={search ? `${to}?${search}` : to} onClick={beginScreen} />
}
