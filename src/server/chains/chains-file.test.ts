import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readChainsFile } from './chains-file.ts'

/** Reads a file with that text. */
async function read(text: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'blinknet-chains-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'chains.json')
  await writeFile(file, text)
  return { folder, chains: await readChainsFile(file) }
}

const refused = (text: string) =>
  read(text).then(
    () => 'nothing',
    (error: unknown) => (error as Error).message,
  )

test('a file has what createChain takes, and its paths are seen from its folder', async () => {
  const { folder, chains } = await read(
    '{"l1":{"chainId":1,"fork":{"url":"http://a.example","blockNumber":5}},"base":{"chainId":8453,"clock":"manual","loadState":"shop.blinknet"},"op":{"data":"./op"}}',
  )
  expect(chains).toMatchObject([
    { name: 'l1', options: { chainId: 1 }, fork: { url: 'http://a.example', blockNumber: 5, timeoutMs: 45_000 } },
    { name: 'base', options: { chainId: 8453, mode: 'manual' }, loadState: path.join(folder, 'shop.blinknet') },
    { name: 'op', options: {}, data: path.join(folder, 'op') },
  ])
})

test('a chain of a file funds accounts of its own', async () => {
  const account = `0x${'ab'.repeat(20)}`
  const { chains } = await read(`{"l1":{"fundAccounts":{"${account}":"1000"}},"base":{}}`)
  expect(chains).toMatchObject([{ options: { fundAccounts: { [account]: '1000' } } }, { options: {} }])
})

test.each([
  ['no', 'it is no JSON'],
  ['[]', 'an object with the options of each chain'],
  ['{}', 'it names no chain'],
  ['{"10":{}}', 'write {"mainnet": {"chainId": 10}}'],
  ['{"__proto__":{}}', 'begins with a letter, unlike "__proto__"'],
  ['{"tx":{}}', 'no chain can be named tx'],
  ['{"a":5}', 'the chain a: its options are an object'],
  ['{"a":{"entrypoint":[]}}', 'the chain a: entrypoint must be "0.6", "0.7", "0.8", or several'],
  ['{"a":{"entrypoint":"0.9"}}', 'the chain a: entrypoint must be "0.6", "0.7", "0.8", or several'],
  ['{"a":{"entrypoint":["0.7",7]}}', 'the chain a: entrypoint must be'],
  ['{"a":{"chainid":5}}', 'the chain a: there is no option "chainid"'],
  ['{"a":{"chainId":"5"}}', 'the chain a: chainId must be a whole number'],
  ['{"a":{"mode":"manual"}}', 'the chain a: there is no option "mode": clock'],
  ['{"a":{"clock":"no"}}', 'the chain a: mode must be auto or manual'],
  ['{"a":{"latest":"sealed"}}', 'the chain a: latest: call its path'],
  ['{"a":{"data":5}}', 'the chain a: data is the name of a'],
  ['{"a":{"data":"x","loadState":"y"}}', 'the chain a: data and loadState contradict each other'],
  ['{"a":{"fork":"http://a.example"}}', 'the chain a: fork is an object'],
  ['{"a":{"fork":{"url":"ftp://a.example"}}}', 'the chain a: fork.url must be the address'],
])('the file %s is refused', async (text, why) => {
  expect(await refused(text)).toContain(why)
})
