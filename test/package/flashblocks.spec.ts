// Run by `npm run package` in an empty folder, beside the example dapp, against the installed package.
import { expect, test } from 'blinknet/playwright'

const STREAM = 'wss://mainnet.flashblocks.base.org/ws'
test.use({ flashblocks: { [STREAM]: 'chain', 'ws://localhost:1111/ws': { form: 'text' } } })

test('a page reads the test’s partial blocks where Base’s stream is', async ({ page, chain }) => {
  await page.goto('/')
  await page.evaluate(
    (urls) => {
      const received: string[] = []
      Object.assign(window, { received })
      const open = urls.map((url) => {
        const socket = new WebSocket(url)
        socket.onmessage = ({ data }) => received.push(data instanceof Blob ? 'binary' : String(data).slice(0, 13))
        return new Promise((resolve) => socket.addEventListener('open', resolve))
      })
      return Promise.all(open)
    },
    [STREAM, 'ws://localhost:1111/ws'],
  )
  await chain.tick()
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { received: string[] }).received.toSorted()))
    .toEqual(['binary', '{"payload_id"'])
})
