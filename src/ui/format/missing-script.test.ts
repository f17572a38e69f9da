import { expect, test } from 'vitest'
import { isMissingScript } from './missing-script.ts'

test.each([
  ['Chromium', new TypeError('Failed to fetch dynamically imported module: http://a.example/assets/x.js')],
  ['Firefox', new TypeError('error loading dynamically imported module: http://a.example/assets/x.js')],
  ['Safari', new TypeError('Importing a module script failed.')],
  ['Vite, of styles', new Error('Unable to preload CSS for /assets/x.css')],
])('the words of %s for a script that did not come are known', (_, error) => {
  expect(isMissingScript(error)).toBe(true)
})

test('a bug is not taken for a script that did not come', () => {
  expect(isMissingScript(new TypeError('cannot read properties of undefined'))).toBe(false)
  expect(isMissingScript('Importing a module script failed.')).toBe(false)
})
