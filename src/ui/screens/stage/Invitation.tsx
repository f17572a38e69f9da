import { type RefObject } from 'react'
import type { RoomGuests, RoomInfo } from '#rpc-types/methods/room.ts'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { useCapabilities, useSession } from '#ui/page/session.ts'
import { isLocalAddress, viewAddress } from '#ui/page/view-address.ts'
import { LiveBlockPanel } from '#ui/screens/live/ribbon/LiveBlockPanel.tsx'
import { QrCode } from '#ui/share/QrCode.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { AudienceFigures, AudiencePanel } from './Audience.tsx'
import { NoPhones } from './Curtain.tsx'
import styles from './Stage.module.css'

const css = classNames(styles)

/** The page's options for an audience. A fork's endpoint, whose address may hold a key, is the speaker's. */
function guestOptions(): URLSearchParams {
  const query = new URLSearchParams(location.search)
  query.delete('fork')
  return query
}

/** What phones open: the room, or a page where each gets a chain of their own; `undefined` if none can be reached. */
export function joinAddress(room: RoomInfo | undefined, isRemote: boolean): string | undefined {
  if (room) return room.url
  if (isLocalAddress()) return undefined
  const query = guestOptions()
  if (!isRemote) query.set('storage', 'off')
  return viewAddress('page', `?${query}`)
}

/** The address for the audience, with its code. */
export function Join({
  address,
  audience,
  placed,
}: {
  address: string
  audience: RoomGuests | undefined
  placed: boolean
}) {
  const { room } = useCapabilities()
  const { remote } = useSession()
  return (
    <Panel title={room ? 'Join' : remote ? 'Open it on your phone' : 'On your phone, with a chain of its own'}>
      <div className={css('address')}>
        <QrCode address={address} />
        <a href={address} target="_blank" rel="noreferrer">
          {new URL(address).host}
        </a>
        {room && placed && <AudienceFigures audience={audience} />}
      </div>
    </Panel>
  )
}

/** For the audience, as large as the stage: the room, or the same scenes on chains of their own. */
export function Invitation({
  audience,
  livePanel,
}: {
  audience: RoomGuests | undefined
  livePanel: RefObject<HTMLElement | null>
}) {
  const { remote, fork } = useSession()
  const { room } = useCapabilities()
  if (room) {
    return (
      <section className={css('invitation', 'open')} aria-label="The same on your phone">
        <div className={css('address')}>
          <QrCode address={room.url} />
          <p className={css('host')}>{new URL(room.url).host}</p>
        </div>
        <div className={css('live')}>
          <LiveBlockPanel ref={livePanel} brief />
        </div>
        <AudiencePanel audience={audience} />
      </section>
    )
  }
  const query = guestOptions()
  query.set('storage', 'off')
  const address = remote ? viewAddress('page') : viewAddress('projector', `?${query}`)
  return (
    <section className={css('invitation')} aria-label="The same on your phone">
      {isLocalAddress() ? (
        <NoPhones />
      ) : (
        <>
          <QrCode address={address} />
          <p className={css('host')}>{location.host}</p>
          <p>
            {remote ? 'This chain, live.' : `These scenes, on a chain of your own${fork ? ', which is no fork' : ''}.`}
          </p>
        </>
      )}
    </section>
  )
}
