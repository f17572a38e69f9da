// Finds the system's Chromium. Run as a program, it installs Debian's where there is none, and prints its path.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Path of the Chromium to test with: `CHROMIUM_PATH`, else the first that the system has.
 *
 * @returns {string | undefined}
 */
export function findChromium() {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`CHROMIUM_PATH names ${chosen}, which does not exist`)
    return chosen
  }
  return CANDIDATES.find((path) => existsSync(path))
}

/**
 * How Playwright starts it: quietly, and as root too.
 *
 * @returns {import('@playwright/test').LaunchOptions}
 */
export function chromiumLaunch() {
  const executablePath = findChromium()
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      // There is none where this runs, and emulating one costs more than drawing without.
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  }
}

/** Runs apt-get, by sudo where one is not root. @param {readonly string[]} args */
export function aptGet(args) {
  const command = ['apt-get', ...args]
  const [program, ...rest] = process.getuid?.() === 0 ? command : ['sudo', ...command]
  execFileSync(/** @type {string} */ (program), rest, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!findChromium()) {
    console.log('no Chromium here: installing the one of the system (CHROMIUM_PATH=… names another)')
    aptGet(['update'])
    aptGet(['install', '-y', '--no-install-recommends', 'chromium'])
  }
  const path = findChromium()
  if (!path) throw new Error('apt-get installed Chromium, yet it is at none of: ' + CANDIDATES.join(', '))
  console.log(`chromium: ${path}`)
}
