import type { Schedule } from '#fates/fault.ts'
import { formatFate } from '#fates/fault.ts'
import { titleOf } from './words.ts'

/** A Playwright test that runs a history. */
export function playwrightCode(schedule: Schedule): string {
  const faults = schedule.length === 0 ? `'every'` : `{ fate: '${formatFate(schedule)}' }`
  return `import { test } from 'blinknet/playwright'

// ${schedule.length === 0 ? 'Every history, beginning with the kept promise' : titleOf(schedule)}
test.use({ faults: ${faults} })

test('a payment is made', async ({ page, chain }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Pay' }).click()
  await chain.tick()
  await chain.seal()
})
`
}

/** A script for Node.js that runs a history. */
export function nodeCode(schedule: Schedule): string {
  const options = schedule.length === 0 ? '{ depth: 2 }' : `{ fate: '${formatFate(schedule)}' }`
  return `import assert from 'node:assert/strict'
import { fates } from 'blinknet/fates'
import { pay } from './your-dapp.js'

// ${schedule.length === 0 ? 'Every history, beginning with the kept promise' : titleOf(schedule)}
await fates(${options}, async ({ chain, provider }) => {
  const order = pay(provider) // meets the faults
  await chain.settle()
  assert.equal(order.shown, await order.onChain(chain))
})
`
}
