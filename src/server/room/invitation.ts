import { encodeQR } from 'qr'

/** Where the room is. */
export interface Invitation {
  /** For guests; the QR code has the first. */
  readonly urls: readonly string[]
  readonly guestPort: number
  /** On this machine alone. */
  readonly speakerPort: number
}

/**
 * The lines that a room is announced with.
 *
 * @param colours - Whether the terminal has colours; the code is then dark on white in any.
 */
export function inviteGuests({ urls, guestPort, speakerPort }: Invitation, colours: boolean): string {
  const [url = '', ...others] = urls
  return [
    '',
    'The room is open. Guests scan this code, or open the address below; they can read the chain and send transactions of their own, nothing else:',
    '',
    ...qrLines(url, colours),
    '',
    `For guests: ${url}`,
    ...others.map((other) => `        or: ${other}`),
    `For you:    http://127.0.0.1:${speakerPort}/?view=projector`,
    '',
    `Whoever reaches port ${speakerPort} is the speaker, and only this machine does. A tunnel for guests leads to port ${guestPort}.`,
  ].join('\n')
}

/** Characters for two squares, one above the other. Light ones are drawn, as most terminals are dark. */
const HALVES = { both: '█', upper: '▀', lower: '▄', none: ' ' }

/** The QR code of a text, two of its rows to a line. */
function qrLines(text: string, colours: boolean): readonly string[] {
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: 2 })
  const lines: string[] = []
  for (let y = 0; y < rows.length; y += 2) {
    const line = (rows[y] ?? [])
      .map((darkAbove, x) => {
        const darkBelow = rows[y + 1]?.[x] ?? true
        if (darkAbove) return darkBelow ? HALVES.none : HALVES.lower
        return darkBelow ? HALVES.upper : HALVES.both
      })
      .join('')
    // White on black from the palette of 256 colours, which themes leave alone.
    lines.push(colours ? `\u001b[38;5;231;48;5;16m${line}\u001b[0m` : line)
  }
  return lines
}
