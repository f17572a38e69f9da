import { expect, test } from './playground.ts'

test('a crash of the node ends pending calls, is explained, and a restart helps', async ({ playground, page }) => {
  await playground.open()
  const hash = await playground.sendTransfer()
  // On a manual clock nobody seals the block, so this call is still pending when the node dies.
  const pending = page.evaluate(
    (sent) =>
      window.devnet?.waitFor(sent, 'sealed').then(
        () => 'sealed',
        (error: { code: unknown }) => error.code,
      ),
    hash,
  )

  const workers = page.workers()
  expect(workers.map((worker) => worker.url())).toEqual([expect.stringContaining('node-worker')])
  await workers[0]?.evaluate(() => {
    setTimeout(() => {
      throw new Error('planted by the test')
    })
  })

  expect(await pending).toBe(4900)
  await expect(page.getByText(/planted by the test/).first()).toBeVisible()
  expect(await playground.refusal('eth_blockNumber', [])).toMatchObject({ code: 4900 })

  await page.getByRole('button', { name: /restart/i }).click()
  await expect(playground.pendingBlock).toContainText('Block #1')
  const again = await playground.sendTransfer()
  await playground.tick()
  await expect(playground.transaction(again)).toHaveAccessibleName(/pre-confirmed/)

  // The crash itself must be the only complaint.
  expect(playground.complaints.filter((complaint) => !complaint.includes('planted by the test'))).toEqual([])
  playground.complaints.length = 0
})
