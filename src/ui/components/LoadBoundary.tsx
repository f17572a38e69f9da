import { Component, type ReactNode, Suspense } from 'react'

interface LoadBoundaryProps {
  /** Shown until the code is loaded. */
  readonly waiting: ReactNode
  /** Shown if loading or rendering fails. */
  readonly renderFailure: (error: Error) => ReactNode
  readonly children: ReactNode
}

/** Wraps content that is loaded when first shown. A class, since React has no other error boundaries. */
export class LoadBoundary extends Component<LoadBoundaryProps, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    const { waiting, renderFailure, children } = this.props
    return error === undefined ? <Suspense fallback={waiting}>{children}</Suspense> : renderFailure(error)
  }
}
