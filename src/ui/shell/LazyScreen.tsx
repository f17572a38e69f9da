import type { ReactNode } from 'react'
import { LoadBoundary } from '#ui/components/LoadBoundary.tsx'
import { MessageScreen } from '#ui/components/layout/MessageScreen.tsx'
import { ScreenHeading } from '#ui/components/layout/ScreenHeading.tsx'
import { ReloadButton } from '#ui/components/RetryButton.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './LazyScreen.module.css'

const css = classNames(styles)

/** A screen whose code is loaded when it is first opened, with what is shown until then or if loading fails. */
export function LazyScreen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <LoadBoundary
      // Another screen gets a new boundary, without the earlier failure.
      key={title}
      waiting={<Loading title={title} />}
      renderFailure={(error) => (
        <MessageScreen title={title} failed reason={error.message} actions={<ReloadButton />}>
          <p>This screen could not be shown. The chain keeps running. Reload the page to load the screen again.</p>
        </MessageScreen>
      )}
    >
      {children}
    </LoadBoundary>
  )
}

function Loading({ title }: { title: string }) {
  return (
    <section className={css('screen')} aria-label={`Loading: ${title}`} aria-busy="true">
      <ScreenHeading title={title} lead="Loading this screen…" />
      <div className={css('panel')} aria-hidden="true" />
    </section>
  )
}
