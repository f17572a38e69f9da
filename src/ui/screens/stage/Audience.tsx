import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RoomGuest, RoomGuests } from '#rpc-types/methods/room.ts'
import { useMarks } from '#ui/chain/squares/marks.ts'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { formatDuration, formatInteger } from '#ui/format/numbers.ts'
import { GuestMark } from '#ui/room/GuestMark.tsx'
import { drawMark } from '#ui/room/marks.ts'
import { useRoomGuests } from '#ui/room/room-calls.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Audience.module.css'
import { marksOf } from './guest-marks.ts'

const css = classNames(styles)

/** The room that one guest takes in the panel besides its name, in CSS pixels before the stage is enlarged. */
const PLACE = { width: 66, height: 24 } as const
/** Only so many names are measured; more never fit. */
const MEASURED = 60

/** Who is in the room, if one is open; their marks are then on the squares of their transactions. */
export function useAudience(isOpen: boolean): RoomGuests | undefined {
  const audience = useRoomGuests(isOpen)
  useEffect(() => {
    if (audience) useMarks.setState(({ of }) => ({ of: marksOf(audience.guests, of), draw: drawMark }))
  }, [audience])
  useEffect(() => () => useMarks.setState({}, true), [])
  return audience
}

/** The guests by name and mark, as many as fit: those who are here, newest first, before those who have left. */
export function AudiencePanel({ audience }: { audience: RoomGuests | undefined }) {
  const list = useRef<HTMLOListElement>(null)
  const guests = (audience?.guests ?? []).toSorted((a, b) => Number(b.connected) - Number(a.connected))
  const { places, columns } = usePlaces(list, guests)
  const shown = guests.slice(0, guests.length > places ? Math.max(0, places - 1) : places)
  const more = guests.length - shown.length
  return (
    <div className={css('panel')}>
      <Panel title="Audience" aside={audience && presence(audience)}>
        <ol
          ref={list}
          className={css('guests')}
          style={{ '--columns': columns } as Record<string, number>}
          aria-label="Guests"
        >
          {shown.map((guest) => (
            <Guest key={guest.number} guest={guest} />
          ))}
          {more > 0 && <li className={css('guest', 'more')}>and {formatInteger(more)} more</li>}
        </ol>
        {audience && guests.length === 0 && <p className={css('none')}>Nobody has joined yet: scan the code.</p>}
      </Panel>
    </div>
  )
}

function presence({ connected, watching }: RoomGuests): string {
  const here = `${formatInteger(connected)} here`
  return watching > 0 ? `${here}, ${formatInteger(watching)} watching` : here
}

function Guest({ guest: { mark, name, connected, sent } }: { guest: RoomGuest }) {
  return (
    <li className={css('guest', !connected && 'gone')} title={othersText(name)}>
      <GuestMark mark={mark} size={16} />
      <span className={css('name')}>{othersText(name)}</span>
      {sent > 0 && (
        <span className={css('sent')}>
          {formatInteger(sent)}
          <span className="visually-hidden"> {sent === 1 ? 'transaction' : 'transactions'}</span>
        </span>
      )}
      {!connected && <span className="visually-hidden">, has left</span>}
    </li>
  )
}

/** How many guests fit into the list with their whole names, and in how many columns. */
function usePlaces(ref: { readonly current: HTMLElement | null }, guests: readonly RoomGuest[]) {
  const [room, setRoom] = useState({ width: 0, height: 0, font: '' })
  useLayoutEffect(() => {
    const list = ref.current
    if (!list) return undefined
    const measure = () => {
      // The property of all at once is empty where figures have one width.
      const { fontSize, fontFamily } = getComputedStyle(list)
      setRoom({ width: list.clientWidth, height: list.clientHeight, font: `${fontSize} ${fontFamily}` })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(list)
    measure()
    return () => observer.disconnect()
  }, [ref])
  const rows = Math.max(1, Math.floor(room.height / PLACE.height))
  const columns = Math.max(1, Math.floor(room.width / (PLACE.width + widest(room.font, guests))))
  return { places: columns * rows, columns }
}

/** The width of the widest name as the list writes it. */
function widest(font: string, guests: readonly RoomGuest[]): number {
  const pen = document.createElement('canvas').getContext('2d')
  if (!pen) return 0
  pen.font = font
  return Math.max(0, ...guests.slice(0, MEASURED).map(({ name }) => pen.measureText(othersText(name)).width))
}

/** The room's numbers as text. The time is the median of what the phones saw. */
export function roomNumbers(audience: RoomGuests | undefined) {
  const { connected, transactionsPerSecond: rate, latencyMs = null } = audience ?? {}
  return {
    guests: connected === undefined ? '…' : formatInteger(connected),
    rate: rate === undefined ? '–' : `${rate < 10 ? rate.toFixed(1) : formatInteger(rate)}/s`,
    latency: latencyMs === null ? '–' : formatDuration(latencyMs),
  }
}

/** The room's numbers, beside the code. */
export function AudienceFigures({ audience }: { audience: RoomGuests | undefined }) {
  const { guests, rate, latency } = roomNumbers(audience)
  return (
    <dl className={css('figures')}>
      <div>
        <dt>Guests</dt>
        <dd>{guests}</dd>
      </div>
      <div>
        <dt>Rate</dt>
        <dd>{rate}</dd>
      </div>
      <div>
        <dt>Latency</dt>
        <dd>{latency}</dd>
      </div>
    </dl>
  )
}
