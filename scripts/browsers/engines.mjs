// Finds Firefox and WebKit for the story of e2e/engines. Run as a program, it installs Debian's packages if they are
// missing. If that fails, it says so, and the story skips that engine with the same message.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { aptGet } from './chromium.mjs'

/** Paths of MiniBrowser in Debian's WebKitGTK, below the folder of the architecture. */
const MINI_BROWSERS = ['webkit2gtk-4.1/MiniBrowser', 'webkit2gtk-4.0/MiniBrowser', 'webkitgtk-6.0/MiniBrowser']

/** @param {readonly (string | undefined)[]} paths */
const firstThatExists = (...paths) => paths.find((candidate) => candidate !== undefined && existsSync(candidate))

/**
 * Path of the Firefox to test with: `FIREFOX_PATH`, otherwise the system's.
 *
 * @returns {string | undefined}
 */
export function findFirefox() {
  return firstThatExists(process.env['FIREFOX_PATH'], '/usr/bin/firefox-esr', '/usr/bin/firefox')
}

/**
 * The programs needed to run WebKit, if all are installed.
 *
 * @returns {{ driver: string, browser: string, xvfbRun: string } | undefined}
 */
export function findWebKit() {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').filter((name) => name.includes('-linux-')) : []
  const browsers = folders.flatMap((folder) => MINI_BROWSERS.map((name) => path.join('/usr/lib', folder, name)))
  const driver = firstThatExists('/usr/bin/WebKitWebDriver')
  const xvfbRun = firstThatExists('/usr/bin/xvfb-run')
  const browser = firstThatExists(...browsers)
  return driver && browser && xvfbRun ? { driver, browser, xvfbRun } : undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = [
    ...(findFirefox() ? [] : ['firefox-esr']),
    ...(findWebKit() ? [] : ['webkit2gtk-driver', 'xvfb', 'xauth']),
  ]
  if (missing.length > 0) {
    console.log(`installing for the story in other browsers: ${missing.join(', ')}`)
    try {
      aptGet(['update'])
      aptGet(['install', '-y', '--no-install-recommends', ...missing])
    } catch (error) {
      console.log(`could not install them: ${String(error)}`)
    }
  }
  console.log(`firefox: ${findFirefox() ?? 'not here, its story is skipped'}`)
  console.log(`webkit: ${findWebKit()?.browser ?? 'not here, its story is skipped'}`)
}
