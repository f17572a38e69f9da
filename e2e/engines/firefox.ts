import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
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

/** The result of `script.callFunction`. */
type ScriptResult =
  | { readonly type: 'success'; readonly result: { readonly value?: string; readonly sharedId?: string } }
  | { readonly type: 'exception'; readonly exceptionDetails: { readonly text: string } }

/** A test profile shows no prompts, and neither updates nor restores sessions. */
const PREFERENCES = [
  'user_pref("app.update.disabledForTesting", true);',
  'user_pref("browser.sessionstore.resume_from_crash", false);',
  'user_pref("browser.shell.checkDefaultBrowser", false);',
  'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
  'user_pref("network.captive-portal-service.enabled", false);',
  'user_pref("network.connectivity-service.enabled", false);',
  'user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");',
  'user_pref("toolkit.telemetry.enabled", false);',
]

/** Makes every window a private one, as `firefox -private` does. */
const PRIVATE = 'user_pref("browser.privatebrowsing.autostart", true);'

/**
 * Firefox, driven by WebDriver BiDi over its own WebSocket.
 *
 * @param windows - Which windows it opens; default: ordinary ones.
 * @see {@link https://w3c.github.io/webdriver-bidi/}
 */
export async function startFirefox(executable: string, windows?: 'private'): Promise<BrowserEngine> {
  const profile = await mkdtemp(path.join(tmpdir(), 'blinknet-firefox-'))
  await writeFile(path.join(profile, 'user.js'), [...PREFERENCES, ...(windows ? [PRIVATE] : [])].join('\n'))
  const args = [
    '--headless',
    '--no-remote',
    '--profile',
    profile,
    '--remote-debugging-port',
    '0',
    '--width',
    '1440',
    '--height',
    '900',
  ]
  const child = spawn(executable, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  try {
    const session = await Session.open(await within('starting Firefox', addressOf(child), 60_000))
    const { capabilities } = await session.call<{ capabilities: { browserName: string; browserVersion: string } }>(
      'session.new',
      { capabilities: {} },
    )
    return {
      name: `${capabilities.browserName} ${capabilities.browserVersion}`,
      async openTab() {
        const { context } = await session.call<{ context: string }>('browsingContext.create', { type: 'tab' })
        return new FirefoxTab(session, context)
      },
      async close() {
        session.close()
        await endProcess(child)
        await rm(profile, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  } catch (error) {
    await endProcess(child)
    throw error
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('Firefox has no standard error')
  const lines = []
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    lines.push(line)
    if (url === undefined) continue
    child.stderr.resume()
    return `${url}/session`
  }
  throw new Error(`Firefox ended before it listened: ${lines.slice(-5).join('\n')}`)
}

/** Commands and their answers. Events are not subscribed to. */
class Session {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: { type: string; result?: unknown; message?: string }) => void>()
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { id?: number; type: string }
      if (message.id === undefined) return
      this.#waiting.get(message.id)?.(message)
      this.#waiting.delete(message.id)
    })
  }

  static async open(url: string): Promise<Session> {
    const socket = new WebSocket(url)
    await within(
      'connecting to Firefox',
      new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject)),
    )
    return new Session(socket)
  }

  call<Result>(method: string, params: unknown): Promise<Result> {
    const id = ++this.#lastId
    const answered = new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, ({ type, result, message }) => {
        if (type === 'success') resolve(result as Result)
        else reject(new Error(`${method}: ${message}`))
      })
    })
    this.#socket.send(JSON.stringify({ id, method, params }))
    return within(method, answered)
  }

  close(): void {
    this.#socket.terminate()
  }
}

class FirefoxTab implements EngineTab {
  readonly #session: Session
  readonly #context: string

  constructor(session: Session, context: string) {
    this.#session = session
    this.#context = context
  }

  async goto(url: string): Promise<void> {
    await this.#session.call('browsingContext.navigate', { context: this.#context, url, wait: 'complete' })
  }

  async back(): Promise<void> {
    await this.#session.call('browsingContext.traverseHistory', { context: this.#context, delta: -1 })
  }

  async reload(): Promise<void> {
    await this.#session.call('browsingContext.reload', { context: this.#context, wait: 'complete' })
  }

  async close(): Promise<void> {
    await this.#session.call('browsingContext.close', { context: this.#context })
  }

  async evaluate<Argument, Result>(
    script: (argument: Argument) => Result,
    argument?: Argument,
  ): Promise<Awaited<Result>> {
    const call = `async () => JSON.stringify(await (${String(script)})(${JSON.stringify(argument)})) ?? ''`
    const { value = '' } = await this.#callFunction(call)
    return (value === '' ? undefined : JSON.parse(value)) as Awaited<Result>
  }

  async click(role: Role, name: string): Promise<void> {
    const { sharedId } = await this.#callFunction(`() => (${String(findByRole)})(${JSON.stringify({ role, name })})`)
    const origin = { type: 'element', element: { sharedId } }
    await this.#session.call('input.performActions', {
      context: this.#context,
      actions: [
        {
          type: 'pointer',
          id: 'mouse',
          actions: [
            { type: 'pointerMove', x: 0, y: 0, origin },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ],
    })
  }

  async press(key: Key): Promise<void> {
    const value = KEYS[key]
    await this.#session.call('browsingContext.activate', { context: this.#context })
    await this.#session.call('input.performActions', {
      context: this.#context,
      actions: [
        {
          type: 'key',
          id: 'keyboard',
          actions: [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ],
        },
      ],
    })
  }

  async choose(name: string, file: string): Promise<void> {
    const { sharedId } = await this.#callFunction(`() => (${String(findFileField)})(${JSON.stringify(name)})`)
    await this.#session.call('input.setFiles', { context: this.#context, element: { sharedId }, files: [file] })
  }

  async screenshot(): Promise<Buffer> {
    const { data } = await this.#session.call<{ data: string }>('browsingContext.captureScreenshot', {
      context: this.#context,
    })
    return Buffer.from(data, 'base64')
  }

  async #callFunction(functionDeclaration: string): Promise<{ readonly value?: string; readonly sharedId?: string }> {
    const answer = await this.#session.call<ScriptResult>('script.callFunction', {
      functionDeclaration,
      target: { context: this.#context },
      awaitPromise: true,
      userActivation: false,
    })
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text)
    return answer.result
  }
}
