import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { isSpeaker, sourceOf } from './roles.ts'

const from = (remoteAddress: string | undefined, headers: IncomingHttpHeaders) =>
  isSpeaker({ socket: { remoteAddress }, headers } as unknown as IncomingMessage)

test.each([
  ['127.0.0.1', 'localhost:8545'],
  ['127.0.0.1', '127.0.0.1:8545'],
  ['::1', '[::1]:8545'],
  ['::ffff:127.0.0.1', 'LOCALHOST'],
])('who comes from %s and calls the server %s is the speaker', (remoteAddress, host) => {
  expect(from(remoteAddress, { host })).toBe(true)
})

test.each([
  ['another machine', '192.168.1.7', { host: '192.168.1.5:8545' }],
  ['another machine with a forged Host', '192.168.1.7', { host: 'localhost:8545' }],
  ['another machine by IPv6 with a forged Host', '::ffff:192.168.1.7', { host: '127.0.0.1' }],
  ['another machine that says it is this one', '192.168.1.7', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }],
  ['a tunnel on this machine', '127.0.0.1', { host: 'room.example' }],
  ['a tunnel with a name that begins like this machine', '127.0.0.1', { host: '127.0.0.1.room.example' }],
  [
    'a proxy on this machine that writes another Host',
    '127.0.0.1',
    { host: 'localhost', 'x-forwarded-for': '1.2.3.4' },
  ],
  ['this machine by its name in the network', '127.0.0.1', { host: '192.168.1.5:8545' }],
  ['a caller without a Host', '127.0.0.1', {}],
  ['a caller with a malformed Host', '127.0.0.1', { host: 'localhost:8545:1' }],
  ['a socket that is gone', undefined, { host: 'localhost' }],
])('%s is a guest', (_who, remoteAddress, headers) => {
  expect(from(remoteAddress, headers)).toBe(false)
})

test('an IPv6 network counts as one source, and loopback as none', () => {
  expect(sourceOf('2001:db8:1:2:3:4:5:6')).toBe(sourceOf('2001:db8:1:2::9'))
  expect(sourceOf('2001:db8::1')).toBe(sourceOf('2001:db8:0:0:1::'))
  expect(sourceOf('2001:db8:1:3::1')).not.toBe(sourceOf('2001:db8:1:2::1'))
  expect(sourceOf('::ffff:192.168.1.7')).toBe('192.168.1.7')
  expect(sourceOf('fe80::1%eth0')).toBe('fe80:0:0:0')
  expect([sourceOf('127.0.0.1'), sourceOf('::1'), sourceOf('::ffff:127.8.8.8')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
