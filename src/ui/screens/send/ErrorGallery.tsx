import { ERROR_CARDS } from '#ui/compose/error-cards.ts'
import { GALLERY_ACCOUNT } from '#ui/compose/run-card.ts'
import { useFeed } from '#ui/feed/store.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { ErrorCardView } from './ErrorCardView.tsx'
import styles from './ErrorGallery.module.css'

const css = classNames(styles)

/** A card for each reason to refuse a transaction, in the order of the node's checks. */
export function ErrorGallery() {
  const gasLimit = useFeed((feed) => feed.live?.gasLimit ?? 0n)
  return (
    <>
      <p className={css('lead')}>
        The node makes 18 checks in this order and answers with the first one that fails. Each card builds a transaction
        that breaks one rule, signs it with Account {GALLERY_ACCOUNT} (a public test key), sends it, and shows the
        answer.
      </p>
      <ul className={css('cards')} aria-label="Errors of eth_sendRawTransaction">
        {ERROR_CARDS.map((card) => (
          <li key={card.title}>
            <ErrorCardView card={card} impossible={card.impossible?.(gasLimit)} />
          </li>
        ))}
      </ul>
    </>
  )
}
