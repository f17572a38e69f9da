import { defineConfig, devices } from '@playwright/test'
import { findChromium } from './.ci/chromium.mjs'

/** Another one for a second checkout on the same machine. */
const PORT = Number(process.env['PLAYWRIGHT_PORT'] ?? 4188)
const executablePath = findChromium()

/** The production build, driven as a person drives it. `npm run build:page` first. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // A test that passes only at the second attempt has found something.
  retries: 0,
  reporter: 'list',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    ...devices['Desktop Chrome'],
    baseURL: `http://127.0.0.1:${PORT}`,
    trace: 'retain-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: `npx vite preview --host 127.0.0.1 --port ${PORT} --strictPort`,
    url: `http://127.0.0.1:${PORT}`,
  },
})
