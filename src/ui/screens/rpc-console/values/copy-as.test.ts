import { expect, test } from 'vitest'
import { snippetsOf } from './copy-as.ts'

const names = (pageUrl: string | undefined, remoteUrl: string | undefined) =>
  snippetsOf('eth_call', [], { pageUrl, remoteUrl }).map(({ name }) => name)

test('the available snippets depend on where the chain runs', () => {
  expect(names('http://localhost/rpc', undefined)).toEqual(['console', 'fetch', 'curl', 'viem', 'cast'])
  expect(names(undefined, undefined)).toEqual(['console', 'curl', 'viem', 'cast'])
  expect(names(undefined, 'http://127.0.0.1:9')).toEqual(['console', 'curl', 'viem', 'cast'])
  expect(names(undefined, 'ws://127.0.0.1:9')).toEqual(['console', 'viem', 'cast'])
})

test('the request is the same in all of them', () => {
  const [inConsole, fetch, curl, viem, cast] = snippetsOf('eth_getBalance', ['0xaa', 'pending'], {
    pageUrl: 'http://localhost/rpc',
    remoteUrl: undefined,
  })
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xaa","pending"]}'
  expect(inConsole?.text).toBe('await devnet.request({ method: "eth_getBalance", params: ["0xaa","pending"] })')
  expect(fetch?.text).toContain(`fetch("http://localhost/rpc"`)
  expect(fetch?.text).toContain(`body: ${JSON.stringify(body)}`)
  expect(curl?.text).toBe(`curl -s 'http://127.0.0.1:8545' -H 'content-type: application/json' --data-raw '${body}'`)
  expect(viem?.text).toContain(`client.request({ method: "eth_getBalance", params: ["0xaa","pending"] })`)
  expect(cast?.text).toBe(`cast rpc --rpc-url 'http://127.0.0.1:8545' 'eth_getBalance' --raw '["0xaa","pending"]'`)
})

test('snippets that need a port are marked, as a chain in a tab has none', () => {
  const needing = (remoteUrl: string | undefined) =>
    snippetsOf('eth_chainId', [], { pageUrl: 'http://localhost/rpc', remoteUrl }).filter((each) => each.needsServer)
  expect(needing(undefined).map(({ name }) => name)).toEqual(['curl', 'viem', 'cast'])
  expect(needing(undefined)[1]?.text).toMatch(/^\/\/ Start `npm run node` first: a chain in a tab has no port\./)
  expect(needing('http://127.0.0.1:9')).toEqual([])
})

test('snippets for a WebSocket endpoint use WebSocket', () => {
  const viem = snippetsOf('eth_chainId', [], { pageUrl: undefined, remoteUrl: 'ws://127.0.0.1:9' })[1]
  expect(viem?.text).toContain(`webSocket("ws://127.0.0.1:9")`)
})
