import { type ComponentProps, createContext, type MouseEvent, useContext, useMemo } from 'react'
import { Link, useRouter } from 'wouter'
import { beginScreen, useGo, useSetup, useWithSetup, withQuery } from '#ui/page/navigation.ts'

/**
 * A link within the page. It keeps the set-up in the address (`?clock=manual`), and the new screen starts at its top
 * with the focus. (If it opens another tab or window, the router does not call back.)
 */
export function AppLink(props: LinkProps) {
  const hrefOf = useContext(LinksContext)
  return hrefOf ? <ListedLink {...props} hrefOf={hrefOf} /> : <LoneLink {...props} />
}

type LinkProps = { readonly to: string } & Omit<ComponentProps<'a'>, 'href' | 'onClick'>

/** Gives the address of a path, where something around the links follows the address and their clicks for all of them. */
export const LinksContext = createContext<((to: string) => string) | undefined>(undefined)

/** What {@link LinksContext} is to have, and the handler of the element around the links. */
export function useLinks() {
  const router = useRouter()
  const setup = useSetup()
  const go = useGo()
  // Another function draws every link anew.
  const hrefOf = useMemo(
    () => (to: string) => router.hrefs(router.base + withQuery(to, setup), router),
    [router, setup],
  )
  return {
    hrefOf,
    /** A key that presses a link clicks it, too. */
    handlers: {
      onClick: (event: MouseEvent<HTMLElement>) => {
        const to = event.target instanceof Element && event.target.closest<HTMLElement>(`[${TO}]`)?.dataset['to']
        if (!to || event.defaultPrevented || event.button !== 0) return
        if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
        event.preventDefault()
        go(to)
      },
    },
  }
}

const TO = 'data-to'

function ListedLink({ to, hrefOf, children, ...rest }: LinkProps & { readonly hrefOf: (to: string) => string }) {
  return (
    <a {...rest} {...{ [TO]: to }} href={hrefOf(to)}>
      {children}
    </a>
  )
}

function LoneLink({ to, ...rest }: LinkProps) {
  return <Link {...rest} href={useWithSetup()(to)} onClick={beginScreen} />
}
