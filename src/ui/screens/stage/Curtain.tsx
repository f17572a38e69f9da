import { QrCode } from '#ui/share/QrCode.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Curtain.module.css'
import { useStage } from './stage-store.ts'

const css = classNames(styles)

/** What hangs before the stage: nothing but black, or the code for phones as large as the wall allows. */
export function Curtain({ address }: { address: string | undefined }) {
  const curtain = useStage((stage) => stage.curtain)
  if (curtain === 'black') {
    return <div className={css('curtain', 'black')} role="img" aria-label="The stage is black. B shows it again." />
  }
  if (curtain !== 'code') return null
  return (
    <section className={css('curtain')} aria-label="Code for phones">
      {address === undefined ? (
        <NoPhones />
      ) : (
        <>
          <QrCode address={address} />
          <p className={css('host')}>{new URL(address).host}</p>
        </>
      )}
    </section>
  )
}

/** What is said where no phone can open the page. */
export function NoPhones() {
  return (
    <>
      <p className={css('host')}>Phones cannot join yet</p>
      <p className="muted">
        <code>npx blinknet --room</code> opens a room for them.
      </p>
    </>
  )
}
