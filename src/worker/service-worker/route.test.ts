import { expect, test } from 'vitest'
import { type Asked, refuseForeign, routeOf } from './route.ts'

const SCOPE = 'https://dapp.example/blinknet/'

test.each([
  ['rpc', 'rpc'],
  ['rpc?chain=main', 'rpc'],
  ['rpc/events?kind=newHeads', 'events'],
  ['rpc/', undefined],
  ['rpc-console', undefined],
  ['../rpc', undefined],
  ['assets/rpc', undefined],
  ['https://elsewhere.example/blinknet/rpc', undefined],
])('%s is routed to %s', (path, route) => {
  expect(routeOf(new URL(path, SCOPE).href, SCOPE)).toBe(route)
})

function asked({ headers = {}, ...rest }: Partial<Omit<Asked, 'headers'>> & { headers?: Record<string, string> }) {
  const request = { url: `${SCOPE}rpc`, method: 'POST', mode: 'cors', destination: '', ...rest }
  return refuseForeign({ ...request, headers: new Headers(headers) }, SCOPE)?.status
}

test('requests by scripts of the origin are allowed', () => {
  expect(asked({})).toBeUndefined()
  expect(asked({ mode: 'same-origin' })).toBeUndefined()
  expect(asked({ headers: { Origin: 'https://dapp.example', 'Sec-Fetch-Site': 'same-origin' } })).toBeUndefined()
})

test.each([
  ['a navigation, such as a form of another site', { mode: 'navigate', destination: 'document' }],
  ['a frame', { mode: 'navigate', destination: 'iframe' }],
  ['a script element', { method: 'GET', mode: 'no-cors', destination: 'script' }],
  ['an image', { method: 'GET', mode: 'no-cors', destination: 'image' }],
  ['another origin', { headers: { Origin: 'https://evil.example' } }],
  ['an opaque origin', { headers: { Origin: 'null' } }],
  ['another port of the same site', { headers: { 'Sec-Fetch-Site': 'same-site' } }],
])('%s is refused with 403', (_, request) => {
  expect(asked(request)).toBe(403)
})
