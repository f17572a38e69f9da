import { defineConfig, devices } from '@playwright/test'
import { chromiumLaunch } from './scripts/browsers/chromium.mjs'

/** `PLAYWRIGHT_PORT` is for a second checkout on the same machine. */
const PORT = Number(process.env['PLAYWRIGHT_PORT'] ?? 4188)

/** The production build, driven as a person drives it. `npm run build:page` first. */
export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'chromium', testIgnore: 'engines/**' },
    // The other browsers, which Playwright does not drive as they come from Debian; a file each time. As a visitor has them.
    {
      name: 'engines',
      testMatch: 'engines/*.spec.ts',
      use: { serviceWorkers: 'allow', contextOptions: { reducedMotion: 'no-preference' } },
    },
  ],
  outputDir: 'test-results',
  fullyParallel: true,
  // One more than the cores: each test waits for a sixth of its time.
  workers: 3,
  forbidOnly: true,
  // A test that passes only at the second attempt has found something.
  retries: 0,
  reporter: 'list',
  // Long enough for a machine that others use too.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    ...devices['Desktop Chrome'],
    baseURL: `http://127.0.0.1:${PORT}`,
    // Recording costs a quarter of the time; `npx playwright test … --trace on` has it where it is wanted.
    trace: 'off',
    // A chain in memory, without a service worker and without motion; what is about these says so (`AS_VISITOR`).
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: chromiumLaunch('shell'),
  },
  webServer: {
    command: `npx vite preview --host 127.0.0.1 --port ${PORT} --strictPort`,
    url: `http://127.0.0.1:${PORT}`,
  },
})
