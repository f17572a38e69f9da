import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fetchServerChains } from '#client/remote/server-chains.ts'
import { POOL_PATH } from '#rpc-types/served-chains.ts'
import { chainPrefix } from '#ui/page/page-base.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ChainList.module.css'

const css = classNames(styles)

/** Most chains of a pool that are listed. */
const SHOWN = 8

/** The chains of the server that the page came from, each a link to its page. */
export function ServerChains() {
  const { data } = useQuery({
    queryKey: ['chains of this server'],
    queryFn: async () => (await fetchServerChains({ url: location.href })) ?? null,
    gcTime: 0,
  })
  if (!data) return null
  const { chains, pool } = data
  // A chain that is alone on its server has no page but this one.
  const named = chains.length > 1 ? chains : chains.map((chain) => ({ ...chain, path: '' }))
  const made = pool?.names ?? []
  return (
    <>
      <nav aria-label="Chains of this server" className={css('chains')}>
        <p className={css('title')}>Chains of this server</p>
        <ul className={css('list')}>
          {named.map(({ name, chainId, path }, i) => (
            <ChainLink key={name} path={path} isFirst={i === 0}>
              {name} <span className="note">chain {Number(chainId)}</span>
            </ChainLink>
          ))}
        </ul>
      </nav>
      {made.length > 0 && (
        <nav aria-label="Chains on demand" className={css('chains')}>
          <p className={css('title')}>Chains on demand</p>
          <ul className={css('list')}>
            {made.slice(0, SHOWN).map((name) => (
              <ChainLink key={name} path={`/${POOL_PATH}/${name}`}>
                {name}
              </ChainLink>
            ))}
            {made.length > SHOWN && <li className="note">and {made.length - SHOWN} more</li>}
          </ul>
        </nav>
      )}
    </>
  )
}

/** @param isFirst - Whether the chain is at the bare address, too. */
function ChainLink({ path, isFirst, children }: { path: string; isFirst?: boolean; children: ReactNode }) {
  const shown = chainPrefix()
  const isShown = shown === path || (isFirst && shown === '')
  return (
    <li>
      {/* Another chain is another start of the page. */}
      <a href={`${path}/${location.search}`} className={css('chain')} {...(isShown && { 'aria-current': 'page' })}>
        {children}
      </a>
    </li>
  )
}
