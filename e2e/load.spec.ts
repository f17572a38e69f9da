import type { Page } from '@playwright/test'
import { expect, test } from './playground.ts'

const panel = (page: Page) => page.getByRole('region', { name: 'Load', exact: true })

test('a load is sent, pre-confirmed and sealed, and stops with one click', async ({ playground, page }) => {
  await playground.open({ clock: 'auto' })
  const load = panel(page)
  const slider = load.getByRole('slider', { name: 'Transactions per second' })
  await slider.fill('5')
  await expect(slider).toHaveAttribute('aria-valuetext', '20 transactions per second')
  await expect(load).toContainText('running')
  for (const name of ['Sent', 'Pre-confirmed', 'Sealed']) {
    await expect(load).toContainText(new RegExp(`${name}\\s*[1-9]\\d*/s`))
  }
  await load.getByRole('radio', { name: 'Reverting' }).check()
  await expect(load).toContainText(/Reverted\s*[1-9]\d*\/s/)
  await load.getByRole('button', { name: 'Stop load' }).click()
  await expect(slider).toHaveValue('0')
  await expect(load).toContainText('off')
})

test('the address may start a load, which survives a few refusals and ends with the reason after many', async ({
  playground,
  page,
}) => {
  await page.goto('/?load=10&storage=off')
  await playground.ready()
  const load = panel(page)
  await expect(load.getByRole('slider')).toHaveAttribute('aria-valuetext', '10 transactions per second')
  await expect(load).toContainText(/Sealed\s*[1-9]\d*\/s/)
  await page.getByRole('button', { name: 'Reject 3 sends' }).click()
  await expect.poll(async () => JSON.stringify(await playground.request('devnet_status'))).toContain('"failNext":[]')
  await expect(load).toContainText('running')
  // Refused transactions leave gaps; the load fills them, so nothing stays queued.
  await expect.poll(() => playground.request('txpool_status')).toMatchObject({ queued: '0x0' })
  const error = { code: -32000, message: 'out of order, on request' }
  await playground.request('devnet_failNext', [{ methods: ['eth_sendRawTransaction'], error, times: 1_000 }])
  await expect(load.getByRole('alert')).toContainText('out of order, on request')
  await expect(load.getByRole('slider')).toHaveValue('0')
})

test('a load stopped during refusals leaves nothing behind a nonce gap', async ({ playground, page }) => {
  await page.goto('/?load=200&storage=off')
  await playground.ready()
  const load = panel(page)
  await expect(load).toContainText(/Sealed\s*[1-9]\d*\/s/)
  // In one call: the load stops before its next transactions can fill the gaps.
  await page.evaluate(async () => {
    const request = window.devnet?.request
    const error = { code: -32000, message: 'out of order, on request' }
    await request?.({ method: 'devnet_failNext', params: [{ methods: ['eth_sendRawTransaction'], error, times: 3 }] })
    const planned = async () => JSON.stringify(await request?.({ method: 'devnet_status' }))
    while (!(await planned()).includes('"failNext":[]'));
    const buttons = [...document.querySelectorAll('button')]
    buttons.find(({ textContent }) => textContent === 'Stop load')?.click()
  })
  await expect(load.getByRole('slider')).toHaveValue('0')
  await expect.poll(() => playground.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
})

test('a load from the address reaches a stored chain only after a click', async ({ playground, page }) => {
  await page.goto('/?load=10')
  await playground.ready()
  const question = page.getByRole('region', { name: 'Load from the page’s address' })
  await expect(question).toContainText('sends them to your stored chain “main”')
  const load = panel(page)
  await expect(load.getByRole('slider')).toHaveValue('0')
  await question.getByRole('button', { name: 'Not now' }).click()
  await expect(question).toBeHidden()
  await expect(load.getByRole('slider')).toHaveValue('0')
  await page.reload()
  await playground.ready()
  await question.getByRole('button', { name: 'Start the load' }).click()
  await expect(load.getByRole('slider')).toHaveAttribute('aria-valuetext', '10 transactions per second')
  await expect(load).toContainText(/Sealed\s*[1-9]\d*\/s/)
  await expect(question).toBeHidden()
})
