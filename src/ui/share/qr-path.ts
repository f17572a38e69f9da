import { encodeQR } from 'qr'

/** Characters that a phone still reads from a screen in one go. */
const MAX_CHARACTERS = 900

/** A code as the outline of its dark squares, each of them 1 × 1. */
export interface QrPath {
  /** Squares along a side, with the quiet zone. */
  readonly size: number
  readonly path: string
}

/** The QR code of a text; `undefined` for one that no phone would read. */
export function qrPath(text: string): QrPath | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: 4 })
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size: rows.length, path }
}
