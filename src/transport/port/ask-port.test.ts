import { afterEach, expect, test } from 'vitest'
import { type Ask, askOver, serveAsk } from './ask-port.ts'
import { gatherPort } from './gather-port.ts'

const open: MessagePort[] = []
afterEach(() => {
  for (const port of open.splice(0)) port.close()
})

function connected(ask: Ask): Ask {
  const { port1, port2 } = new MessageChannel()
  open.push(port1)
  serveAsk(gatherPort(port1), ask)
  return askOver(gatherPort(port2))
}

test('what a worker asks is answered by the page, in any order, and asked in one task', async () => {
  const asked: string[] = []
  let tasks = 0
  const ask = connected(async (method, params) => {
    asked.push(method)
    if (asked.length === 1) setImmediate(() => tasks++)
    if (method === 'late') await new Promise((later) => setTimeout(later, 5))
    expect(tasks).toBe(method === 'late' ? 1 : 0)
    return { method, params }
  })
  const answers = await Promise.all([ask('late', [1]), ask('soon', [2])])
  expect(answers).toEqual([
    { method: 'late', params: [1] },
    { method: 'soon', params: [2] },
  ])
})

test('an error keeps its message, and what the endpoint itself answered', async () => {
  const answered = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
  const ask = connected((method) =>
    Promise.reject(method === 'eth_call' ? Object.assign(new Error('it refuses'), { answered }) : new Error('gone')),
  )
  await expect(ask('eth_call', [])).rejects.toMatchObject({ name: 'AskError', message: 'it refuses', answered })
  await expect(ask('eth_chainId', [])).rejects.toMatchObject({ message: 'gone', answered: undefined })
})
