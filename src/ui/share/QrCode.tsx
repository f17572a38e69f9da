import { classNames } from '#ui/styles/class-names.ts'
import styles from './QrCode.module.css'
import { qrPath } from './qr-path.ts'

const css = classNames(styles)

/** The QR code of an address, always dark on white, or a sentence where it is too long for one. */
export function QrCode({ address }: { address: string }) {
  const code = qrPath(address)
  if (!code) return <p className="note">The address is too long for a QR code that a phone can read.</p>
  return (
    <svg
      className={css('code')}
      viewBox={`0 0 ${code.size} ${code.size}`}
      role="img"
      aria-label="QR code of the address"
      shapeRendering="crispEdges"
    >
      <rect width={code.size} height={code.size} fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  )
}
