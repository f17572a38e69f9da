import { test } from '@playwright/test'
import { findFirefox, findWebKit } from '../../scripts/browsers/engines.mjs'
import { startStaticHost } from '../static-host.ts'
import { startChromium } from './chromium.ts'
import type { Engine } from './engine.ts'
import { startFirefox } from './firefox.ts'
import { tellStory } from './story.ts'
import { startWebKit } from './webkit.ts'

const firefox = findFirefox()
const webkit = findWebKit()

/** One story for three browsers. */
const ENGINES: readonly { readonly name: string; readonly start: (() => Promise<Engine>) | undefined }[] = [
  { name: 'Chromium', start: startChromium },
  { name: 'Firefox', start: firefox === undefined ? undefined : () => startFirefox(firefox) },
  { name: 'WebKit', start: webkit === undefined ? undefined : () => startWebKit(webkit) },
]

for (const { name, start } of ENGINES) {
  test(`in ${name} a visitor sends, navigates, comes back, compiles and goes offline`, async () => {
    test.skip(start === undefined, `${name} is not here and could not be installed`)
    test.setTimeout(300_000)
    const host = await startStaticHost({ folder: 'dist/page' })
    const engine = await start?.()
    try {
      if (engine) await tellStory(engine, host)
    } finally {
      await engine?.close()
      await host.close()
    }
  })
}
