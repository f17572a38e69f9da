import { test } from '@playwright/test'
import { findFirefox, findWebKit } from '../../scripts/browsers/engines.mjs'
import { type StaticHost, startStaticHost } from '../static-host.ts'
import { startChromium } from './chromium.ts'
import type { BrowserEngine } from './engine.ts'
import { startFirefox } from './firefox.ts'
import { tellPrivateStory, tellStory } from './story.ts'
import { startWebKit } from './webkit.ts'

const firefox = findFirefox()
const webkit = findWebKit()

/** One story for three browsers. */
const ENGINES: readonly { readonly name: string; readonly start: (() => Promise<BrowserEngine>) | undefined }[] = [
  { name: 'Chromium', start: startChromium },
  { name: 'Firefox', start: firefox === undefined ? undefined : () => startFirefox(firefox) },
  { name: 'WebKit', start: webkit === undefined ? undefined : () => startWebKit(webkit) },
]

/** Runs a story on a host of its own, or says that the browser is missing. */
async function run(
  name: string,
  start: (() => Promise<BrowserEngine>) | undefined,
  tell: (engine: BrowserEngine, host: StaticHost) => Promise<void>,
): Promise<void> {
  test.skip(start === undefined, `${name} is not here and could not be installed`)
  test.setTimeout(300_000)
  const host = await startStaticHost({ folder: 'dist/page' })
  const engine = await start?.()
  try {
    if (engine) await tell(engine, host)
  } finally {
    await engine?.close()
    await host.close()
  }
}

for (const { name, start } of ENGINES) {
  test(`in ${name} a visitor sends, navigates, comes back, compiles and goes offline`, () =>
    run(name, start, tellStory))
}

// WebKit's story is private anyway: a driven window of it keeps nothing.
test('in a private window of Firefox the chain runs, is shared between tabs and survives a reload', () =>
  run('Firefox', firefox === undefined ? undefined : () => startFirefox(firefox, 'private'), tellPrivateStory))
