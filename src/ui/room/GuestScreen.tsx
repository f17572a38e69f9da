import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { RemoteView } from '#client/session/session.ts'
import { MAX_GUEST_NAME, type RoomInfo } from '#rpc-types/methods/room.ts'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { Button } from '#ui/components/Button.tsx'
import { FailureNote } from '#ui/components/ErrorNote.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { formatEth } from '#ui/format/numbers.ts'
import { useTitle } from '#ui/page/navigation.ts'
import { useProvider } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { GuestMark } from './GuestMark.tsx'
import styles from './GuestScreen.module.css'
import { GUEST_VALUE, type Guest, type GuestState, type GuestTransaction, guestOf } from './guest.ts'
import { isKept } from './guest-key.ts'
import { explainRefusal, transactionWords } from './room-words.ts'

const css = classNames(styles)

/** The screen of a room's guest: a name, an account with test money, one large button, and what became of each press. */
export function GuestScreen({ remote, room }: { remote: RemoteView; room: RoomInfo }) {
  useTitle('Room')
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    const before = dataset['view']
    // Leaves no room at the foot for the navigation, which this screen does not have.
    dataset['view'] = 'guest'
    return () => {
      dataset['view'] = before
    }
  }, [])
  const heading = useRef<HTMLHeadingElement>(null)
  const guest = guestOf(useProvider(), room.url)
  const state = useSyncExternalStore(guest.state.subscribe, guest.state.get)
  return (
    <div className={css('guest')}>
      <h1 ref={heading} tabIndex={-1} className={css('title')}>
        {state.place ? 'You are in the room' : 'Join the room'}
      </h1>
      {state.place ? (
        <Inside guest={guest} state={state} />
      ) : (
        <Door guest={guest} state={state} onJoined={() => heading.current?.focus()} />
      )}
      <footer className={css('foot')}>
        <Button size="large" onClick={() => remote.lookAround(true)}>
          Look around
        </Button>
        <p className="note">
          Shows the chain, its blocks and accounts.{' '}
          {!window.isSecureContext &&
            'This page came over plain http: it can neither work offline nor copy to the clipboard. '}
          {!isKept(room.url) && 'This browser stores nothing: after a reload you will be a new guest.'}
        </p>
      </footer>
    </div>
  )
}

/** @param onJoined - Called after the form has been sent with success: the focus was in it. */
function Door({ guest, state, onJoined }: { guest: Guest; state: GuestState; onJoined: () => void }) {
  const [name, setName] = useState(state.name)
  const trimmed = name.trim()
  const isTooLong = Array.from(trimmed).length > MAX_GUEST_NAME
  async function join(): Promise<void> {
    await guest.join(trimmed)
    if (guest.state.get().place) onJoined()
  }
  return (
    <form
      className={css('door')}
      onSubmit={(event) => {
        event.preventDefault()
        if (trimmed !== '' && !isTooLong && !state.joining) void join()
      }}
    >
      <p>You get an account with test money, and one button. Everyone sees your transactions on the stage.</p>
      <TextField
        label="Your name"
        hint="Shown on the stage. Any name will do."
        error={isTooLong ? `At most ${MAX_GUEST_NAME} characters.` : undefined}
        value={name}
        onChange={setName}
        autoCapitalize="words"
      />
      <button type="submit" className={css('send')} disabled={trimmed === '' || isTooLong || state.joining}>
        {state.joining ? 'Joining…' : 'Join'}
      </button>
      <Refusal error={state.error} what="join" />
    </form>
  )
}

function Inside({ guest, state }: { guest: Guest; state: GuestState }) {
  const { place, name, balance, sent, error } = state
  const [newest] = sent
  return (
    <>
      {place && (
        <div className={css('card')}>
          <GuestMark mark={place.mark} size={56} named />
          <div>
            <p className={css('name')}>{othersText(name)}</p>
            <p className="muted">This is your mark on the stage.</p>
            {balance !== undefined && <p className="muted">{formatEth(balance, 3)} of test money</p>}
          </div>
        </div>
      )}
      <button type="button" className={css('send', 'large')} onClick={() => void guest.send()}>
        Send
        <span className={css('value')}>{formatEth(GUEST_VALUE, 3)} to the speaker</span>
      </button>
      <Refusal error={error} what="send" />
      <p className="visually-hidden" role="status">
        {newest && newest.progress.status !== 'mempool' ? transactionWords(newest) : ''}
      </p>
      {newest ? (
        <ol className={css('sent')} aria-label="Your transactions">
          {sent.map((tx) => (
            <Line key={tx.hash} tx={tx} />
          ))}
        </ol>
      ) : (
        <p className="muted">Press it, and look at the stage.</p>
      )}
    </>
  )
}

function Line({ tx }: { tx: GuestTransaction }) {
  return (
    <li className={css('line', tx.progress.status)}>
      <Glyph sign={tx.progress.status} size={18} />
      <span>{transactionWords(tx)}</span>
    </li>
  )
}

function Refusal({ error, what }: { error: unknown; what: 'join' | 'send' }) {
  if (error === undefined) return null
  return (
    <div role="alert">
      <FailureNote {...explainRefusal(error, what)} />
    </div>
  )
}
