import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import {
  type BrowserEngine,
  type EngineTab,
  endProcess,
  findByRole,
  findFileField,
  KEYS,
  type Key,
  type Role,
  within,
} from './engine.ts'

/** The key of an element in WebDriver's JSON. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

export interface WebKitPrograms {
  /** WebKitWebDriver. */
  readonly driver: string
  /** WebKitGTK's MiniBrowser, started by the driver. */
  readonly browser: string
  /** Provides a screen, since this build of WebKit has no headless mode. */
  readonly xvfbRun: string
}

/**
 * WebKitGTK, driven by plain WebDriver calls. Its page cache is on, as in Safari.
 *
 * @see {@link https://www.w3.org/TR/webdriver2/}
 */
export async function startWebKit({ driver, browser, xvfbRun }: WebKitPrograms): Promise<BrowserEngine> {
  const port = await freePort()
  const screen = ['--auto-servernum', '--server-args=-screen 0 1440x900x24']
  const child = spawn(xvfbRun, [...screen, driver, `--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    detached: true,
    // A test machine seldom has user namespaces or a GPU. Without one, layers are painted straight away: composed by
    // Mesa in software they took more time, and Mesa ended the browser now and then.
    env: { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
  })
  const base = `http://127.0.0.1:${port}`
  try {
    await within('starting WebKitWebDriver', listening(`${base}/status`), 60_000)
    const options = { binary: browser, args: ['--automation'] }
    const { sessionId, capabilities } = await call<{
      sessionId: string
      capabilities: { browserName: string; browserVersion: string }
    }>('POST', `${base}/session`, {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
    })
    const session = `${base}/session/${sessionId}`
    await call('POST', `${session}/timeouts`, { script: 20_000, pageLoad: 20_000 })
    let isFirst = true
    return {
      name: `WebKitGTK ${capabilities.browserVersion}`,
      async openTab() {
        const handle = isFirst
          ? await call<string>('GET', `${session}/window`)
          : (await call<{ handle: string }>('POST', `${session}/window/new`, { type: 'tab' })).handle
        isFirst = false
        return new WebKitTab(session, handle)
      },
      close: () => endProcess(child),
    }
  } catch (error) {
    await endProcess(child)
    throw error
  }
}

class WebKitTab implements EngineTab {
  readonly #session: string
  readonly #handle: string

  constructor(session: string, handle: string) {
    this.#session = session
    this.#handle = handle
  }

  async goto(url: string): Promise<void> {
    await this.#call('POST', 'url', { url })
  }

  async back(): Promise<void> {
    await this.#call('POST', 'back', {})
  }

  async reload(): Promise<void> {
    await this.#call('POST', 'refresh', {})
  }

  async close(): Promise<void> {
    await this.#call('DELETE', 'window')
  }

  async evaluate<Argument, Result>(
    script: (argument: Argument) => Result,
    argument?: Argument,
  ): Promise<Awaited<Result>> {
    const body = `const [argument, done] = arguments
      Promise.resolve(argument).then(${String(script)}).then((value) => done({ value }), (error) => done({ error: String(error) }))`
    const answer = await this.#call<{ value?: Awaited<Result>; error?: string }>('POST', 'execute/async', {
      script: body,
      args: [argument ?? null],
    })
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer.value as Awaited<Result>
  }

  async click(role: Role, name: string): Promise<void> {
    await this.#call('POST', `element/${await this.#find(findByRole, { role, name })}/click`, {})
  }

  async press(key: Key): Promise<void> {
    const value = KEYS[key]
    const actions = [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]
    await this.#call('POST', 'actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  async choose(name: string, file: string): Promise<void> {
    await this.#call('POST', `element/${await this.#find(findFileField, name)}/value`, { text: file })
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from(await this.#call<string>('GET', 'screenshot'), 'base64')
  }

  /** The id of an element that a function finds in the page. */
  async #find<Argument>(find: (argument: Argument) => Element, argument: Argument): Promise<string> {
    const script = `return (${String(find)})(arguments[0])`
    const found = await this.#call<Record<string, string>>('POST', 'execute/sync', { script, args: [argument] })
    return found[ELEMENT] ?? ''
  }

  /** Commands go to the session's current window, so each command first switches to its own window. */
  async #call<Value>(method: string, command: string, body?: unknown): Promise<Value> {
    await call('POST', `${this.#session}/window`, { handle: this.#handle })
    return call(method, `${this.#session}/${command}`, body)
  }
}

async function call<Value>(method: string, url: string, body?: unknown): Promise<Value> {
  const command = `${method} ${new URL(url).pathname.split('/').slice(3).join('/')}`
  const asked = fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const response = await within(command, asked, 30_000)
  const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${command}: ${value.error} ${value.message}`)
  return value
}

async function listening(url: string): Promise<void> {
  for (;;) {
    const answers = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answers) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
