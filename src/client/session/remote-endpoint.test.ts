import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChainAddress, isMixedContent, parseEndpoint, parseFork } from './remote-endpoint.ts'

const endpoint = (text: string): ChainAddress => {
  const parsed = parseEndpoint(text)
  return parsed.ok ? parsed.endpoint : expect.fail(parsed.why)
}

test('HTTP and WebSocket addresses are endpoints', () => {
  expect(endpoint(' http://127.0.0.1:8545 ')).toEqual({
    url: 'http://127.0.0.1:8545/',
    transport: 'http',
    host: '127.0.0.1:8545',
  })
  expect(endpoint('https://rpc.example/v2/key?a=1#b').url).toBe('https://rpc.example/v2/key?a=1')
  expect(endpoint('ws://localhost:8546').transport).toBe('webSocket')
  expect(endpoint('wss://rpc.example').transport).toBe('webSocket')
})

test.each([
  ['', 'Enter an address'],
  ['localhost:8545', 'starts with http://'],
  ['127.0.0.1:8545', 'Not an address'],
  ['file:///etc/passwd', 'starts with http://'],
  ['javascript:alert(1)', 'starts with http://'],
  ['https://me:secret@rpc.example', 'Leave them out'],
])('%o is refused', (text, why) => {
  expect(parseEndpoint(text)).toMatchObject({ ok: false, why: expect.stringContaining(why) as string })
})

test('the address of a fork ends with a block, and no trick makes another host or protocol of it', () => {
  expect(parseFork('https://rpc.example/key@21000000')).toMatchObject({
    endpoint: { url: 'https://rpc.example/key', host: 'rpc.example' },
    blockNumber: 21_000_000,
  })
  expect(parseFork('wss://rpc.example@5')).toMatchObject({ endpoint: { url: 'https://rpc.example/' }, blockNumber: 5 })
  for (const text of [
    'javascript:alert(1)@5',
    'file:///etc/passwd@5',
    'data:application/json,{}@5',
    'blob:https://rpc.example/1@5',
    'https://rpc.example@evil.example/@5',
    'https://me:secret@rpc.example@5',
    '@5',
  ]) {
    expect(parseFork(text), text).toMatchObject({ ok: false })
  }
  // What a browser leaves out of an address is no part of the name that a person is asked about.
  expect(parseFork('https://rpc.exa\r\nmple/\tkey@5')).toMatchObject({
    endpoint: { url: 'https://rpc.example/key', host: 'rpc.example' },
  })
})

test('any typed text is either an endpoint of one of the four protocols or refused', () => {
  fc.assert(
    fc.property(fc.constantFrom('', 'http://', 'wss://', 'ftp://', 'HTTP:'), fc.string(), (scheme, rest) => {
      const parsed = parseEndpoint(scheme + rest)
      if (parsed.ok) expect(parsed.endpoint.url).toMatch(/^(https?|wss?):/)
      else expect(parsed.why).not.toBe('')
    }),
  )
})

test('a plain address is mixed content for an https page, unless it is on this machine', () => {
  const isMixed = (text: string, page = 'https:') => isMixedContent(endpoint(text), page)
  expect(isMixed('http://rpc.example')).toBe(true)
  expect(isMixed('ws://192.168.0.7:8545')).toBe(true)
  expect(isMixed('https://rpc.example')).toBe(false)
  expect(isMixed('http://rpc.example', 'http:')).toBe(false)
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '[::1]']) expect(isMixed(`http://${host}:1`)).toBe(false)
})
