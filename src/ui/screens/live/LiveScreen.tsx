import { type ComponentType, lazy, type ReactNode, useEffect } from 'react'
import { LoadedPart } from '#ui/components/LoadedPart.tsx'
import { useTitle } from '#ui/page/navigation.ts'
import { useCapabilities, useSession } from '#ui/page/session.ts'
import { useAnswer } from '#ui/queries/answer.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { answerTitle, answerWords } from './answer-words.ts'
import { Explanation } from './Explanation.tsx'
import styles from './LiveScreen.module.css'
import { Race } from './Race.tsx'
import { Ribbon } from './ribbon/Ribbon.tsx'
import { SendButton } from './SendButton.tsx'
import { TransactionsPanel } from './TransactionsPanel.tsx'

const css = classNames(styles)

/** Milliseconds from the first view on, in which a first press may be answered. */
const SETTLED_MS = 120

let announceFirstView = () => {}
/** Resolves once the screen has been painted. Until then nothing that loads later may take time from it. */
const firstView = new Promise<void>((resolve) => {
  announceFirstView = resolve
})

/** A part of the screen that loads after the first view. */
const later = (load: () => Promise<ComponentType>) =>
  lazy(() => firstView.then(async () => ({ default: await load() })))

const ChainTools = later(async () => (await import('./ChainTools.tsx')).ChainTools)
const SendForm = later(async () => (await import('./SendForm.tsx')).SendForm)
const Elsewhere = later(async () => (await import('./Elsewhere.tsx')).Elsewhere)
const LatencyPanel = later(async () => (await import('./latency/LatencyPanel.tsx')).LatencyPanel)
const Traffic = later(async () => (await import('./Traffic.tsx')).Traffic)

/** The running chain: the two answers to a press, the way of every transaction, and tools. */
export function LiveScreen() {
  useTitle('Live')
  const { remote, fork } = useSession()
  const { preconfirms, accounts, devnet, film } = useCapabilities()
  const answer = useAnswer()
  const elsewhere = film || remote || fork
  const sends = accounts.length > 0
  useEffect(() => {
    // A page in the background has no frames.
    if (document.hidden) announceFirstView()
    else requestAnimationFrame(() => setTimeout(announceFirstView, SETTLED_MS))
  }, [])
  return (
    <>
      <div className={css('hero')}>
        <div className={css('pitch')}>
          <h1 className={css('title')}>{film || !preconfirms ? 'A chain, block by block' : answerTitle(answer)}</h1>
          {!elsewhere && (
            <p className={css('lead')}>
              A complete layer-2 devnet in your browser: a transaction is {answerWords(answer)}.
            </p>
          )}
          {sends && <SendButton />}
        </div>
        {sends && <Race />}
      </div>
      {elsewhere && (
        <Later waiting={null}>
          <Elsewhere />
        </Later>
      )}
      <Ribbon />
      {devnet && sends && (
        <Later waiting={<div className={css('offer')} aria-hidden="true" />}>
          <Traffic />
        </Later>
      )}
      <div className={css('pair')}>
        <div className={css('stack')}>
          <TransactionsPanel />
          {devnet && sends && (
            <Later>
              <LatencyPanel />
            </Later>
          )}
          <Explanation />
        </div>
        {sends && (
          <div className={css('stack')}>
            <Later>
              <SendForm />
            </Later>
            {devnet && (
              <Later>
                <ChainTools />
              </Later>
            )}
          </div>
        )}
      </div>
    </>
  )
}

/** Wraps parts that are loaded after the first view. */
function Later({
  waiting = <div className={css('waiting')} aria-hidden="true" />,
  children,
}: {
  waiting?: ReactNode
  children: ReactNode
}) {
  return <LoadedPart waiting={waiting}>{children}</LoadedPart>
}
