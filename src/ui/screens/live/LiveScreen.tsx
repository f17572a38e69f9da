import { MissingFeatures } from '#ui/connect/MissingFeatures.tsx'
import { useCapabilities, useSession } from '#ui/session.ts'
import { useTitle } from '#ui/shell/use-title.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Explanation } from './Explanation.tsx'
import { LiveBlockPanel } from './LiveBlockPanel.tsx'
import styles from './LiveScreen.module.css'
import { Mempool } from './Mempool.tsx'
import { Race } from './Race.tsx'
import { SealedBlocks } from './SealedBlocks.tsx'
import { SendButton } from './SendButton.tsx'
import { SendForm } from './SendForm.tsx'
import { TransactionsPanel } from './TransactionsPanel.tsx'

const css = classNames(styles)

/** The chain at work: mempool, live block and sealed blocks, and a way to send something into it. */
export function LiveScreen() {
  useTitle('Live')
  const { remote } = useSession()
  const { preconfirms, accounts } = useCapabilities()
  return (
    <>
      <div className={css('intro')}>
        <div>
          <h1 className={css('headline')}>
            {preconfirms ? 'A chain that answers before it confirms' : 'A chain, block by block'}
          </h1>
          <p className={css('lead')}>
            {remote
              ? `This page shows the chain at ${remote.endpoint.host} instead of its own.`
              : 'A complete layer-2 devnet, running in your browser. Send a transaction and watch it enter the live block ' +
                'within 200 ms, long before the block is sealed.'}
          </p>
        </div>
        {accounts.length > 0 && <SendButton />}
      </div>
      <MissingFeatures />
      <div className={css('ribbon')}>
        <Mempool />
        <LiveBlockPanel />
        <SealedBlocks />
      </div>
      {accounts.length > 0 && (
        <div className={css('pair')}>
          <Race />
          <SendForm />
        </div>
      )}
      <Explanation />
      <TransactionsPanel />
    </>
  )
}
