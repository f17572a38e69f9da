import { expect, test } from 'vitest'
import { sourceOf } from './source-address.ts'

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
