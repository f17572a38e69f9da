import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A tab of a browser that Playwright does not drive. Every call ends within its time limit, or throws. */
export interface EngineTab {
  goto(url: string): Promise<void>
  back(): Promise<void>
  reload(): Promise<void>
  close(): Promise<void>
  /**
   * Calls a function inside the page and waits for its result.
   *
   * @param script - Must not use anything outside its body; may be async.
   * @param argument - A JSON value.
   */
  evaluate<Argument, Result>(script: (argument: Argument) => Result, argument: Argument): Promise<Awaited<Result>>
  evaluate<Result>(script: () => Result): Promise<Awaited<Result>>
  /** Clicks the only element with this role and exact accessible name, like a mouse. Throws if there is none. */
  click(role: Role, name: string): Promise<void>
  /**
   * Presses and releases a key, like a keyboard. The tab comes to the front first, since only the front tab gets keys.
   */
  press(key: Key): Promise<void>
  /** Chooses a file of this machine in the only file field with this accessible name. */
  choose(name: string, path: string): Promise<void>
  /** A screenshot of the tab as PNG. */
  screenshot(): Promise<Buffer>
}

export interface BrowserEngine {
  /** Name and version, as reported by the browser. */
  readonly name: string
  openTab(): Promise<EngineTab>
  close(): Promise<void>
}

/** Keys used in a story, in WebDriver's encoding. */
export const KEYS = { Tab: '\uE004' } as const
export type Key = keyof typeof KEYS

export type Role = 'button' | 'link' | 'radio' | 'tab'

/** Time limit for any call to a browser; longer waits, as for the compiler, poll. */
export const CALL_TIMEOUT_MS = 20_000

/** Runs inside the page: finds the only visible element with this role and accessible name, once it can be used. */
export function findByRole({ role, name }: { readonly role: Role; readonly name: string }): Element {
  const selectors: Record<Role, string> = {
    button: 'button, [role=button]',
    link: 'a[href]',
    radio: 'input[type=radio], [role=radio]',
    tab: '[role=tab]',
  }
  const nameOf = (element: Element) => {
    const spoken = ((element as HTMLInputElement).labels?.[0] ?? element).cloneNode(true) as Element
    for (const hidden of spoken.querySelectorAll('[aria-hidden=true]')) hidden.remove()
    const text = element.getAttribute('aria-label') ?? spoken.textContent ?? ''
    return text.replace(/\s+/g, ' ').trim()
  }
  const isVisible = (element: Element) => element.getClientRects().length > 0
  const candidates = [...document.querySelectorAll(selectors[role])].filter(isVisible)
  const found = candidates.filter((element) => nameOf(element) === name)
  const [element] = found
  if (!element || found.length > 1) {
    throw new Error(`${found.length} × ${role} "${name}"; there are: ${candidates.map(nameOf).join(' | ')}`)
  }
  // A click on it would be lost.
  if (element.matches(':disabled, [aria-disabled=true]')) throw new Error(`the ${role} "${name}" is disabled`)
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  return element
}

/** Runs inside the page: finds the only file field with this accessible name; a button may stand for it. */
export function findFileField(name: string): Element {
  const found = [...document.querySelectorAll('input[type=file]')].filter(
    (input) => input.getAttribute('aria-label') === name,
  )
  const [field] = found
  if (!field || found.length > 1) throw new Error(`${found.length} × file field "${name}"`)
  return field
}

/** @throws {Error} If the promise is not settled in time. */
export async function within<T>(what: string, promise: Promise<T>, ms = CALL_TIMEOUT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no answer in ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Ends a process group that was started with `detached`, and waits until its first process has gone. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exited = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await exited
}
