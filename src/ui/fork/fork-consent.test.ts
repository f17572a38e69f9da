import { expect, test } from 'vitest'
import { parseFork } from '#client/session/remote-endpoint.ts'
import { pageOfFork } from './fork-consent.ts'

test('a fork is named in place of an endpoint, on the same screen', () => {
  const chain = parseFork('http://a.example@7')
  if (!chain.ok) throw new Error(chain.why)
  expect(pageOfFork({ pathname: '/send', search: '?rpc=x&theme=dark', hash: '' }, '/', chain)).toBe(
    '/remote.html?theme=dark&fork=http%3A%2F%2Fa.example%2F%407#/send',
  )
})

test('a fork’s time begins as its address says, unless a person has chosen', () => {
  const chain = parseFork('http://a.example@7')
  if (!chain.ok) throw new Error(chain.why)
  const searchOf = (search: string, time?: 'block' | 'now') =>
    pageOfFork({ pathname: '/', search, hash: '' }, '/', chain, time).includes('forkTime=now')
  expect(searchOf('?forkTime=now')).toBe(true)
  expect(searchOf('?forkTime=now', 'block')).toBe(false)
  expect(searchOf('')).toBe(false)
  expect(searchOf('', 'now')).toBe(true)
})
