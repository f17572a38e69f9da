import { expect, test } from 'vitest'
import { networkAddresses } from './network-addresses.ts'

const at = (...addresses: readonly string[]) => addresses.map((address) => ({ address, internal: false }))

test('the address that phones most likely reach comes first; loopback and link-local ones are left out', () => {
  expect(
    networkAddresses({
      lo: [{ address: '127.0.0.1', internal: true }],
      docker0: at('172.17.0.1'),
      eth1: at('203.0.113.9', 'fd00::2', 'fe80::1'),
      eth0: at('10.1.2.3'),
      wlan0: at('192.168.1.5', '169.254.3.4'),
    }),
  ).toEqual(['192.168.1.5', '10.1.2.3', '203.0.113.9', 'fd00::2', '172.17.0.1'])
})

test('a machine in no network has none', () => {
  expect(networkAddresses({ lo: [{ address: '127.0.0.1', internal: true }], eth0: undefined })).toEqual([])
})
