import type { ComponentProps } from 'react'
import { Link, useSearch } from 'wouter'
import { MAIN_ID } from '#ui/shell/main-id.ts'

/**
 * A link inside the page: set-up in the address (`?clock=manual`) stays when one follows it, and the screen that it
 * leads to begins at its top, with the focus.
 */
export function AppLink({ to, ...rest }: { to: string } & Omit<ComponentProps<'a'>, 'href' | 'onClick'>) {
  const search = useSearch()
  return <Link {...rest} href={search ? `${to}?${search}` : to} onClick={beginScreen} />
}

function beginScreen(event: {
  readonly metaKey: boolean
  readonly ctrlKey: boolean
  readonly shiftKey: boolean
}): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
  window.scrollTo(0, 0)
}
