import { useQuery } from '@tanstack/react-query'
import { listChains } from '#client/node/list-chains.ts'
import { useSession } from '#ui/page/session.ts'
import { addressOfChain } from '#ui/storage/page-address.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ChainList.module.css'

const css = classNames(styles)

/** Most chains that are listed; others are opened by name in the dialog about storage. */
const SHOWN = 8

/** The other chains of this browser, each a link that opens it. */
export function ChainList() {
  const { chain } = useSession()
  const { data = [] } = useQuery({
    queryKey: ['chains of this browser'],
    queryFn: () => listChains(import.meta.env.BASE_URL),
    gcTime: 0,
  })
  const others = data.filter((name) => name !== chain)
  if (others.length === 0) return null
  return (
    <nav aria-label="Chains of this browser" className={css('chains')}>
      <p className={css('title')}>Chains of this browser</p>
      <ul className={css('list')}>
        {others.slice(0, SHOWN).map((name) => (
          <li key={name}>
            {/* Another chain is another start of the page. */}
            <a href={addressOfChain(location, import.meta.env.BASE_URL, name)} className={css('chain')}>
              {name}
            </a>
          </li>
        ))}
        {others.length > SHOWN && <li className="note">and {others.length - SHOWN} more</li>}
      </ul>
    </nav>
  )
}
