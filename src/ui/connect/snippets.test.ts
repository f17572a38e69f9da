import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { SNIPPETS, snippetOf, walletChain } from './snippets.ts'

const URL_OF_SOMEBODY = `http://127.0.0.1:1/a'b"c\\d$(x)\``
const CHAINS = [
  { chainId: 31337, url: 'http://127.0.0.1:8545' },
  { chainId: 10, url: URL_OF_SOMEBODY },
]

test.each(SNIPPETS.filter(({ value }) => value !== 'foundry'))(
  'the code for $label parses, whatever the address',
  ({ value }) => {
    for (const chain of CHAINS) {
      const code = snippetOf(value, chain)
      const whole = value === 'hardhat' ? `export default {\n${code}\n}` : code
      expect(parseSync('snippet.ts', whole).errors).toEqual([])
      const [literal = ''] = /'http:(?:[^'\\]|\\.)*'/.exec(code) ?? []
      // oxlint-disable-next-line no-eval
      expect((0, eval)(literal)).toBe(chain.url)
    }
  },
)

test('the command for Foundry has the address as one word', () => {
  expect(snippetOf('foundry', { chainId: 1, url: 'http://127.0.0.1:8545' })).toContain(
    '--rpc-url http://127.0.0.1:8545 ',
  )
  expect(snippetOf('foundry', { chainId: 1, url: "http://a/'; rm -rf ~" })).toContain(
    `--rpc-url 'http://a/'\\''; rm -rf ~' `,
  )
})

test.each([
  ['ws://127.0.0.1:8545/', 'http://127.0.0.1:8545/'],
  ['wss://node.example/ws', 'https://node.example/ws'],
  ['http://ws.example', 'http://ws.example'],
])('a page that listens at %s has code and a wallet ask %s', (url, asked) => {
  for (const { value } of SNIPPETS) {
    const code = snippetOf(value, { chainId: 1, url })
    expect(code).toContain(asked)
    expect(code).not.toMatch(/wss?:\/\//)
  }
  expect(walletChain({ chainId: 1, url }).rpcUrls).toEqual([asked])
})

test('a wallet gets the chain id as a quantity', () => {
  expect(walletChain({ chainId: 31337, url: 'http://127.0.0.1:8545' })).toMatchObject({
    chainId: '0x7a69',
    rpcUrls: ['http://127.0.0.1:8545'],
  })
})
