import { Component, type ReactNode, Suspense } from 'react'

interface LoadBoundaryProps {
  /** Shown until the code is there. */
  readonly waiting: ReactNode
  /** Shown if it does not come, or what it shows fails. */
  readonly renderFailure: (error: Error) => ReactNode
  readonly children: ReactNode
}

/**
 * Around what is loaded when it is first shown. React has boundaries for errors as classes only.
 */
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
