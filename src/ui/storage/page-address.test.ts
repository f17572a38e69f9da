import { expect, test } from 'vitest'
import { addressInMemory, addressOfChain, addressWithoutOptions } from './page-address.ts'

const HERE = { pathname: '/b/block/3', search: '?seed=7&clock=manual&chain=demo&theme=dark&storage=x', hash: '#s=1' }

test('removing the options keeps the chain, the screen and the appearance', () => {
  expect(addressWithoutOptions(HERE)).toBe('/b/block/3?chain=demo&theme=dark&storage=x#s=1')
  expect(addressWithoutOptions({ pathname: '/', search: '?chainId=5&speed=2', hash: '' })).toBe('/')
})

test('another chain is opened at its live screen, with the same options', () => {
  expect(addressOfChain(HERE, '/b/', 'two')).toBe('/b/?seed=7&clock=manual&chain=two&theme=dark#s=1')
})

test('a chain in memory has storage=off', () => {
  expect(addressInMemory({ pathname: '/tx/0x1', search: '', hash: '' }, '/')).toBe('/?storage=off')
})
