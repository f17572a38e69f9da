import { invariant } from '#primitives/invariant.ts'

/** A document for tests, whose windows post messages to each other as in a browser. */
export class FakeWindow extends EventTarget {
  readonly location: { readonly origin: string; readonly pathname: string }
  readonly crypto = globalThis.crypto
  parent: FakeWindow = this
  opener: FakeWindow | null = null
  ethereum: unknown = undefined
  /** The window whose script runs: the source of what is posted. */
  static running: FakeWindow | undefined

  constructor(origin: string, pathname = '/') {
    super()
    this.location = { origin, pathname }
  }

  /** Delivers a message to this window, if its origin is `targetOrigin`. */
  postMessage(data: unknown, targetOrigin: string, transfer: readonly MessagePort[]): void {
    const source = FakeWindow.running
    invariant(source, 'some window runs')
    if (targetOrigin !== this.location.origin) return
    const event = Object.assign(new Event('message'), { data, origin: source.location.origin, source, ports: transfer })
    queueMicrotask(() => this.dispatchEvent(event))
  }

  /** Runs a script of this document. */
  run(script: (own: Window) => void): void {
    FakeWindow.running = this
    script(this as unknown as Window)
    FakeWindow.running = undefined
  }
}
