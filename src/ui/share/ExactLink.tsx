import { ExternalLink } from 'lucide-react'
import { ErrorNote, FailureNote } from '#ui/components/ErrorNote.tsx'
import { useSession } from '#ui/page/session.ts'
import { useClockState } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ExactLink.module.css'
import { ShareLink } from './ShareLink.tsx'
import { useShare } from './use-share.ts'

const css = classNames(styles)

/** A link that repeats the chain exactly, and opens the screen that is open here; or what such a link needs. */
export function ExactLink({ path }: { path: string }) {
  const { fork } = useSession()
  const clock = useClockState()
  if (clock !== 'manual' && !fork) return <NeedsManualClock />
  return <Checked path={path} />
}

function Checked({ path }: { path: string }) {
  const { fork } = useSession()
  const { data, error } = useShare(path)
  if (error) return <ErrorNote error={error} />
  if (!data) return <p role="status">Reading the chain and checking it on a second one…</p>
  if (fork) {
    return (
      <>
        <p role="status">
          This link opens a fork of the same chain after the same block. Whoever opens it is asked before anything is
          sent to the endpoint.
        </p>
        {data.short && <FailureNote what={data.short.message} why={data.short.why} />}
        <ShareLink address={data.address} />
      </>
    )
  }
  // A link without the blocks would open an empty chain, which is not what one sees here.
  if (data.short) {
    return (
      <div role="status">
        <FailureNote what={data.short.message} why={data.short.why} />
      </div>
    )
  }
  return (
    <>
      <p role="status">
        Anyone who opens this link gets the same blocks with the same hashes. This was just checked on a second chain.
      </p>
      <ShareLink address={data.address} />
      <p className="note">It opens a chain in memory and touches no stored one. The mempool is not part of it.</p>
    </>
  )
}

/** With a clock of its own a chain never repeats. */
function NeedsManualClock() {
  const address = `${import.meta.env.BASE_URL}?storage=off&clock=manual`
  return (
    <>
      <p role="status">
        A link can repeat a chain only if its clock is manual. This one runs by itself, so its block hashes depend on
        the time of day.
      </p>
      <p className="note">
        Open a chain with a manual clock, where each partial block waits for you, do there what you want to show, and
        share that. To share what is here, save a film.
      </p>
      <div>
        <a className={css('open')} href={address} target="_blank" rel="noreferrer">
          <ExternalLink size={14} aria-hidden="true" />
          Open a chain with a manual clock
        </a>
      </div>
    </>
  )
}
