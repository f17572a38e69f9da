import { isLocalHost } from '#client/session/remote-endpoint.ts'
import { CopyTextButton } from '#ui/components/CopyButton.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { QrCode } from './QrCode.tsx'
import styles from './ShareLink.module.css'

const css = classNames(styles)

/** A link to copy, with a code for phones if a phone can open it. */
export function ShareLink({ address }: { address: string }) {
  const { hostname, host } = new URL(address)
  const isHere = isLocalHost(hostname)
  return (
    <div className={css('link')}>
      <div className={css('words')}>
        <p className={css('address')}>
          <code>{address}</code>
        </p>
        <div>
          <CopyTextButton value={address}>the link</CopyTextButton>
        </div>
        {isHere && <p className="note">Only this machine can open it: the page is served at {host}.</p>}
      </div>
      {!isHere && <QrCode address={address} />}
    </div>
  )
}
