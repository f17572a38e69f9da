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
  return (
    <>
      <div className={css('intro')}>
        <div>
          <h1 className={css('headline')}>A chain that answers before it confirms</h1>
          <p className={css('lead')}>
            A complete layer-2 devnet, running in this tab. Send a transaction and watch it enter the live block within
            200 ms, long before the block is sealed.
          </p>
        </div>
        <SendButton />
      </div>
      <div className={css('ribbon')}>
        <Mempool />
        <LiveBlockPanel />
        <SealedBlocks />
      </div>
      <div className={css('pair')}>
        <Race />
        <SendForm />
      </div>
      <Explanation />
      <TransactionsPanel />
    </>
  )
}
