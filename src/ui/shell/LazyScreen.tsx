import { RotateCcw } from 'lucide-react'
import { Component, type ReactNode, Suspense } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ConnectionScreen.module.css'

const css = classNames(styles)

/** The place of a screen whose code is loaded when it is first visited. */
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
    <section className={css('screen')} aria-label={`Loading: ${title}`}>
      <h1 className={css('title')}>{title}</h1>
      <p className={css('text')}>Loading this screen. The chain goes on meanwhile.</p>
      <div className={css('track')} aria-hidden="true">
        <div className={css('bar')} />
      </div>
    </section>
  )
}

interface Props {
  readonly title: string
  readonly children: ReactNode
}

/** React has no hook for this: what a screen throws, its code that cannot be loaded included, ends here. */
class LoadBoundary extends Component<Props, { readonly failure: Error | undefined }> {
  override state: { readonly failure: Error | undefined } = { failure: undefined }

  static getDerivedStateFromError(failure: Error) {
    return { failure }
  }

  override render() {
    const { failure } = this.state
    if (failure === undefined) return this.props.children
    return (
      <section className={css('screen')} aria-label={`${this.props.title} does not work`}>
        <h1 className={css('title')}>{this.props.title} does not work</h1>
        <div role="alert" className={css('text')}>
          <p>Its code could not be loaded, or failed. The chain and the other screens go on.</p>
          <p className={css('reason')}>{failure.message}</p>
        </div>
        <Button look="primary" onClick={() => location.reload()}>
          <RotateCcw size={16} aria-hidden="true" />
          Reload
        </Button>
      </section>
    )
  }
}
