// Finds the system's Chromium. Run as a program, it installs Debian's if there is none, and prints its path.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Chromium's engine without browser windows; the tests take a quarter less time in it. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/**
 * Path of the Chromium to test with: `CHROMIUM_PATH`, otherwise the system's.
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

/** Path of Debian's headless shell of Chromium, if it is installed and no other Chromium was chosen. */
function findHeadlessShell() {
  return !process.env['CHROMIUM_PATH'] && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : undefined
}

/**
 * Playwright's launch options: quiet, and possible as root.
 *
 * @param {'browser' | 'shell'} [which] - `shell`: the headless shell, if it is installed.
 * @returns {import('@playwright/test').LaunchOptions}
 */
export function chromiumLaunch(which = 'browser') {
  const executablePath = (which === 'shell' ? findHeadlessShell() : undefined) ?? findChromium()
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      // Test machines have no GPU, and emulating one costs more than drawing without.
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A page of a test lives for seconds: what is compiled late, and without passes for stack traces, saves a sixteenth of
      // the processor time of its start.
      ...(which === 'shell' ? ['--js-flags=--no-enable-lazy-source-positions,--interrupt-budget=400000'] : []),
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

/** @param {readonly string[]} packages */
function install(packages) {
  aptGet(['update'])
  // Browser and shell have the same version; nothing installed is removed for them.
  aptGet(['install', '-y', '--no-install-recommends', '--no-remove', ...packages])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!findChromium()) {
    console.log('no Chromium here: installing the one of the system (CHROMIUM_PATH=… names another)')
    install(['chromium', 'chromium-headless-shell'])
    if (!findChromium()) throw new Error(`apt-get installed Chromium, yet it is at none of: ${CANDIDATES.join(', ')}`)
  }
  if (!process.env['CHROMIUM_PATH'] && !findHeadlessShell()) {
    console.log('installing the headless shell of Chromium, in which the tests take a quarter less time')
    try {
      install(['chromium', 'chromium-headless-shell'])
    } catch (error) {
      console.log(`could not install it, Chromium itself will do: ${String(error)}`)
    }
  }
  console.log(`chromium: ${findChromium()}, tests in ${chromiumLaunch('shell').executablePath}`)
}
