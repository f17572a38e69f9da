import { Button } from '#ui/components/Button.tsx'
import { FilmBar } from '#ui/film/FilmBar.tsx'
import { useGo } from '#ui/page/navigation.ts'
import { parsePageOptions } from '#ui/page/page-options.ts'
import { useCapabilities, useConnection, useSession } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ReadOnlyBar.module.css'

const css = classNames(styles)

/** Says why nothing can be changed from this page: it shows a film, or a guest of a room looks around. */
export function ReadOnlyBar() {
  const { film } = useCapabilities()
  const isFollowing = useConnection().status === 'ready'
  if (film) return <FilmBar />
  return isFollowing && parsePageOptions(location.search).view === 'page' ? <GuestBar /> : null
}

function GuestBar() {
  const { remote } = useSession()
  const go = useGo()
  const back = () => {
    go('/')
    remote?.lookAround(false)
  }
  return (
    <section className={css('bar')} aria-label="Room">
      <p>You are a guest in this room: you can look around, but change nothing from here.</p>
      <Button look="primary" onClick={back}>
        Back to my button
      </Button>
    </section>
  )
}
