import { expect, test } from 'vitest'
import { listChains } from './list-chains.ts'

const named =
  (...names: readonly string[]) =>
  () =>
    Promise.resolve(names.map((name) => ({ name })))

test('only the chains of this page are listed, in order, without forks and databases of others', async () => {
  const databases = named(
    'blinknet/blinknet:/:main',
    'blinknet/blinknet:/:demo',
    'blinknet/blinknet:/other/:main',
    'blinknet/blinknet:/:fork-0123456789abcdef01234567',
    'keyval-store',
  )
  expect(await listChains('/', databases)).toEqual(['demo', 'main'])
  expect(await listChains('/other/', databases)).toEqual(['main'])
})

test('where the browser has no storage, there are none', async () => {
  expect(await listChains('/', () => Promise.reject(new Error('denied')))).toEqual([])
})
