import { createRequire } from 'node:module'

type PlaywrightTest = typeof import('@playwright/test')

/**
 * Playwright’s test runner, which the project brings.
 *
 * @param load - Loads a module by its name, at once: it is CommonJS, and modules that wait could not be required.
 * @throws {Error} One sentence, if the project has none.
 */
export function loadPlaywright(load: (name: string) => unknown = createRequire(import.meta.url)): PlaywrightTest {
  try {
    return load('@playwright/test') as PlaywrightTest
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'MODULE_NOT_FOUND' || !message.includes("'@playwright/test'")) throw error
    const missing = new Error('blinknet/playwright needs @playwright/test: npm install --save-dev @playwright/test')
    // Where it was imported from is of no use to who reads it.
    missing.stack = `Error: ${missing.message}`
    throw missing
  }
}
