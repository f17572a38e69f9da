import { noteFirstView } from '../bench/first-view/visit.mjs'
import { expect, test } from './playground.ts'

test('the bench of the first view finds the running chain, presses the button and hears the answer', async ({
  page,
}) => {
  await page.addInitScript(noteFirstView)
  const noted = page.waitForRequest('**/first-view')
  await page.goto('/')
  const view: unknown = (await noted).postDataJSON()
  expect(view).toEqual({ painted: expect.any(Number), running: expect.any(Number), sent: expect.any(Number) })
})
