import { expect, test } from 'vitest'
import { entryAddress, entryOf, ownLocation, servingEndpoint } from './endpoint-address.ts'

const at = (pathname: string, search = '', hash = '') => ({ pathname, search, hash })

test('attaching keeps the screen and the other parameters', () => {
  expect(entryAddress(at('/block/7', '?theme=dark'), '/', 'remote', 'http://127.0.0.1:8545/')).toBe(
    '/remote.html?theme=dark&rpc=http%3A%2F%2F127.0.0.1%3A8545%2F#/block/7',
  )
})

test('an address with an endpoint leads to the other entry unchanged', () => {
  expect(entryAddress(at('/', '?rpc=ws%3A%2F%2Flocalhost'), '/', 'remote')).toBe(
    '/remote.html?rpc=ws%3A%2F%2Flocalhost#/',
  )
})

test('going back keeps the screen and removes the endpoint', () => {
  expect(entryAddress(at('/remote.html', '?rpc=x&theme=dark', '#/tx/0x1'), '/', 'own', null)).toBe('/tx/0x1?theme=dark')
  expect(entryAddress(at('/remote.html', '?rpc=x', ''), '/', 'own', null)).toBe('/')
})

test('both entries are in the folder of the app', () => {
  expect(entryAddress(at('/blinknet/send', ''), '/blinknet/', 'remote', 'wss://a.example/')).toBe(
    '/blinknet/remote.html?rpc=wss%3A%2F%2Fa.example%2F#/send',
  )
  expect(entryAddress(at('/blinknet/remote.html', '?rpc=x', '#/send'), '/blinknet/', 'own', null)).toBe(
    '/blinknet/send',
  )
})

test('going back removes a fork', () => {
  expect(entryAddress(at('/remote.html', '?fork=x', '#/send'), '/', 'own', null)).toBe('/send')
})

test('a hash that is not a route is ignored', () => {
  expect(entryAddress(at('/remote.html', '?rpc=x', '#main'), '/', 'own', null)).toBe('/')
})

test('a document says which entry it is', () => {
  const page = (mark?: string) => ({ documentElement: { dataset: { page: mark } } }) as unknown as Document
  expect(entryOf(page())).toBe('own')
  expect(entryOf(page('remote'))).toBe('remote')
  expect(entryOf(page('served'))).toBe('served')
  expect(entryOf(page('nonsense'))).toBe('own')
})

test('a served page reaches its server by WebSocket, over TLS where the page came over TLS', () => {
  expect(servingEndpoint({ protocol: 'http:', host: '127.0.0.1:8545' })).toEqual({
    url: 'ws://127.0.0.1:8545/',
    transport: 'webSocket',
    host: '127.0.0.1:8545',
  })
  expect(servingEndpoint({ protocol: 'https:', host: 'node.example' }).url).toBe('wss://node.example/')
})

test('a page of one of a server’s chains reaches that one, and its screen is the same on the other entry', () => {
  expect(servingEndpoint({ protocol: 'http:', host: '127.0.0.1:8545' }, '/base')).toEqual({
    url: 'ws://127.0.0.1:8545/base',
    transport: 'webSocket',
    host: '127.0.0.1:8545/base',
  })
  expect(ownLocation(at('/base/tx/0x1', '?theme=dark'), '/base')).toEqual(at('/tx/0x1', '?theme=dark'))
  expect(ownLocation(at('/base'), '/base').pathname).toBe('/')
  expect(ownLocation(at('/basement/1'), '/base').pathname).toBe('/basement/1')
  expect(ownLocation(at('/tx/0x1'), undefined).pathname).toBe('/tx/0x1')
})
