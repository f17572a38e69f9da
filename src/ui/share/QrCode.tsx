import { encodeQR } from 'qr'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './QrCode.module.css'

const css = classNames(styles)

/** The QR code of a link, always dark on white, or a sentence if the link is too long. */
export function QrCode({ address }: { address: string }) {
  const code = qrPath(address)
  if (!code) return <p className="note">The link is too long for a QR code that a phone can read.</p>
  return (
    <svg
      className={css('code')}
      viewBox={`0 0 ${code.size} ${code.size}`}
      role="img"
      aria-label="QR code of the link"
      shapeRendering="crispEdges"
    >
      <rect width={code.size} height={code.size} fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  )
}

/** The most characters that a phone reads reliably from a screen. */
const MAX_CHARACTERS = 900

/** A code as a path around its dark squares, each 1 × 1. */
export interface QrPath {
  /** Number of squares per side, including the quiet zone. */
  readonly size: number
  readonly path: string
}

/** The QR code of a text; `undefined` if it is too long for a phone to read. */
export function qrPath(text: string): QrPath | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: 4 })
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size: rows.length, path }
}
