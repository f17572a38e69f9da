import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { create } from 'zustand'
import type { RoomGuest, RoomGuests } from '#rpc-types/methods/room.ts'
import { useMarks } from '#ui/chain/squares/marks.ts'
import { Panel } from '#ui/components/layout/Panel.tsx'
import type { PartialSlot } from '#ui/feed/feed-state.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { formatDuration, formatInteger } from '#ui/format/numbers.ts'
import { GuestMark } from '#ui/room/GuestMark.tsx'
import { drawMark } from '#ui/room/marks.ts'
import { useRoomGuests } from '#ui/room/room-calls.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Audience.module.css'
import { firstMarks, marksOf } from './guest-marks.ts'

const css = classNames(styles)

/** The room that one guest takes in the panel besides the letters of its name, in CSS pixels before the stage is enlarged. */
const PLACE = { width: 66, height: 24 } as const
/** What a letter takes: wide ones in a row take a little more, and then the name is cut. */
const LETTER = 7.4

/**
 * Who is in the room, if one is open; their marks are then on the squares of their transactions.
 *
 * @param marked - How many squares of a partial block have room for marks.
 */
export function useAudience(isOpen: boolean, marked: number): RoomGuests | undefined {
  const audience = useRoomGuests(isOpen)
  useEffect(() => useMarkedSquares.setState({ most: marked }), [marked])
  useEffect(() => {
    if (audience) useMarks.setState(({ of }) => ({ of: marksOf(audience.guests, of), draw: drawMark, Senders }))
  }, [audience])
  useEffect(() => () => useMarks.setState({}, true), [])
  return audience
}

/** The guests by name and mark, newest first, as many as fit. */
export function AudiencePanel({ audience }: { audience: RoomGuests | undefined }) {
  const list = useRef<HTMLOListElement>(null)
  const guests = audience?.guests ?? []
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
  const [room, setRoom] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const list = ref.current
    if (!list) return undefined
    const measure = () => setRoom({ width: list.clientWidth, height: list.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(list)
    measure()
    return () => observer.disconnect()
  }, [ref])
  const rows = Math.max(1, Math.floor(room.height / PLACE.height))
  const letters = guests.reduce((longest, { name }) => Math.max(longest, name.length), 0)
  const columns = Math.max(1, Math.floor(room.width / (PLACE.width + letters * LETTER)))
  return { places: columns * rows, columns }
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

/** Marks beside the index of a partial block; in 4:3 there is room for the first. */
const SHOWN = 2

/** How many squares of a partial block have room for marks on the stage as it is now. */
const useMarkedSquares = create<{ readonly most: number }>()(() => ({ most: 0 }))

/** The marks of the first guests in a partial block that has more; the number below its squares says how many there are. */
function Senders({ transactions }: Pick<PartialSlot, 'transactions'>) {
  const { of: marks } = useMarks()
  const { most } = useMarkedSquares()
  if (!marks || transactions.length <= most) return null
  return (
    <span className={css('senders')} aria-hidden="true">
      {firstMarks(transactions, marks, SHOWN).map((mark) => (
        <GuestMark key={mark} mark={mark} size={12} />
      ))}
    </span>
  )
}
