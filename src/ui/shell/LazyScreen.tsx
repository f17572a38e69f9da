import { RotateCcw } from 'lucide-react'
import { Component, type ReactNode, Suspense } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './LazyScreen.module.css'

const css = classNames(styles)

/** A screen whose code comes when it is first opened: what is shown until then, and if it does not come. */
export function LazyScreen({ title, children }: { title: string; children: ReactNode }) {
  return (
    // Another screen gets another boundary, without the failure of the one before.
    <LoadBoundary key={title} title={title}>
      <Suspense fallback={<Loading title={title} />}>{children}</Suspense>
    </LoadBoundary>
  )
}

function Loading({ title }: { title: string }) {
  return (
    <section className={css('screen')} aria-label={`Loading: ${title}`} aria-busy="true">
      <h1 className={css('title')}>{title}</h1>
      <p className={css('text')}>Loading this screen…</p>
      <div className={css('panel')} aria-hidden="true" />
    </section>
  )
}

/** React has boundaries for errors as classes only. */
class LoadBoundary extends Component<
  { readonly title: string; readonly children: ReactNode },
  { readonly error: Error | undefined }
> {
  override state: { readonly error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <section className={css('screen')} aria-label={this.props.title}>
        <h1 className={css('title')}>{this.props.title}</h1>
        <div role="alert" className={css('text')}>
          <p>This screen could not be shown. The chain goes on; a reload gets the screen anew.</p>
          <p className={css('reason')}>{error.message}</p>
        </div>
        <div>
          <Button look="primary" onClick={() => location.reload()}>
            <RotateCcw size={16} aria-hidden="true" />
            Reload
          </Button>
        </div>
      </section>
    )
  }
}
