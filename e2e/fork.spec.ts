import { type JsonRpcServer, type Serve, type ServedCall, serving } from './json-rpc-server.ts'
import { Playground } from './playground.ts'
import { expect, expectFailedRequests, test as nodesTest, type RemoteNode } from './remote-nodes.ts'
import { ALICE, compileToken } from './token.ts'

/** Returns the word in its slot 0. */
const GETTER = '0x5f545f5260205ff3'
const CONTRACT = `0x${'51'.repeat(20)}`
const WORD = `0x${'2a'.padStart(64, '0')}`

const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' }

type Change = (method: string, answer: unknown) => unknown

const unchanged: Change = (_method, answer) => answer

interface Endpoint extends JsonRpcServer {
  /** The methods that it was asked for. */
  readonly asked: readonly string[]
}

/** A chain with a contract, on a clock that only the test advances. */
interface Original {
  readonly node: RemoteNode
  /** Number of its newest block. */
  readonly newest: number
  /** Address of a token on it. */
  readonly token: string
}

/** A chain, and endpoints of it that may lie, or let no page read their answers. */
const test = nodesTest.extend<{
  serve: Serve
  original: Original
  endpoint: (how?: { readonly change?: Change; readonly cors?: boolean }) => Promise<Endpoint>
}>({
  serve: serving,
  original: async ({ nodes }, use) => {
    const node = await nodes.blinknet(['--clock', 'manual'])
    await node.rpc('anvil_setCode', CONTRACT, GETTER)
    await node.rpc('anvil_setStorageAt', CONTRACT, `0x${'0'.repeat(64)}`, WORD)
    const deployed = await node.rpc('eth_sendTransaction', { from: ALICE, input: compileToken() })
    await node.rpc('devnet_tick', 10)
    // A fork would fill the account up.
    await node.rpc('anvil_setBalance', ALICE, `0x${(10_000n * 10n ** 18n).toString(16)}`)
    await node.rpc('devnet_tick', 10)
    const { contractAddress: token } = (await node.rpc('eth_getTransactionReceipt', deployed)) as {
      readonly contractAddress: string
    }
    await use({ node, newest: Number(await node.rpc('eth_blockNumber')), token })
  },
  endpoint: ({ serve, original: { node } }, use) =>
    use(async ({ change = unchanged, cors = true } = {}) => {
      const asked: string[] = []
      const answer = async ({ method, params }: ServedCall) => {
        asked.push(method)
        return change(method, await node.rpc(method, ...params))
      }
      return { ...(await serve(answer, { cors })), asked }
    }),
})

test('a link to a fork asks first; then the tab seals the block that the chain itself would, and goes on with it after a reload, also without the endpoint', async ({
  playground,
  page,
  original: { node, newest },
  endpoint,
}) => {
  const { url, asked, stop } = await endpoint()
  const { host } = new URL(url)
  await page.goto(`/?clock=manual&fork=${encodeURIComponent(url)}`)
  await expect(page.getByRole('heading', { name: `Fork the chain at ${host}?` })).toBeVisible()
  expect(asked).toEqual([])

  await page.getByRole('button', { name: 'Try the endpoint' }).click()
  const findings = page.getByRole('list', { name: 'What the endpoint can do' })
  await expect(findings).toContainText(`Chain 31337, newest block ${newest}`)
  await expect(findings).toContainText(`Proofs of the state at block ${newest}`)
  await expect(findings).toContainText('An archive')

  await page.getByRole('button', { name: 'Start the fork' }).click()
  await playground.ready()
  const button = page.getByRole('button', { name: `Chain: fork of 31337 at #${newest}, proven` })
  await expect(button).toBeVisible()
  await expect(playground.pendingBlock).toContainText(`Block #${newest + 1}`)

  const hash = await playground.sendTransfer()
  await playground.tick()
  await expect(playground.transaction(hash)).toHaveAccessibleName(new RegExp(`pre-confirmed in block ${newest + 1}`))
  await playground.tick(9)
  await expect(playground.transaction(hash)).toHaveAccessibleName(new RegExp(`sealed in block ${newest + 1}, success`))
  expect(await playground.request('eth_call', [{ to: CONTRACT }, 'pending'])).toBe(WORD)
  expect(Number(await node.rpc('eth_blockNumber'))).toBe(newest)

  // The transaction on the chain itself.
  const next = [`0x${(newest + 1).toString(16)}`, false] as const
  const sealed = await playground.request('eth_getBlockByNumber', next)
  await node.rpc('eth_sendRawTransaction', await playground.request('eth_getRawTransactionByHash', [hash]))
  await node.rpc('devnet_tick', 10)
  expect(sealed).toMatchObject({ transactions: [hash] })
  expect(sealed).toEqual(await node.rpc('eth_getBlockByNumber', ...next))

  await expect(page).toHaveURL(new RegExp(`%40${newest}#/$`))
  await page.reload()
  await playground.ready()
  await expect(button).toBeVisible()
  await expect(playground.pendingBlock).toContainText(`Block #${newest + 2}`)
  await expect(playground.transaction(hash)).toHaveAccessibleName(/sealed/)

  expectFailedRequests(playground)
  stop()
  await page.reload()
  await playground.ready()
  expect(await playground.request('eth_call', [{ to: CONTRACT }, 'pending'])).toBe(WORD)
  const { message } = await playground.refusal('eth_getBalance', [`0x${'99'.repeat(20)}`, 'latest'])
  expect(message).toContain(`${host} does not answer`)
  await button.click()
  await page.getByRole('button', { name: 'Fork a chain…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Back to the built-in chain' }).click()
  await expect(page.getByRole('button', { name: 'Chain: main' })).toBeVisible()
})

test('from the page of a fork, a dapp’s wallet goes to a chain that this browser keeps', async ({
  playground,
  page,
  endpoint,
}) => {
  await page.goto('/?chain=ten&chainId=10&clock=manual')
  await playground.ready()
  const { url } = await endpoint()
  await page.goto(`/?clock=manual&fork=${encodeURIComponent(url)}`)
  await page.getByRole('button', { name: 'Start the fork' }).click()
  await playground.ready()
  const call = (method: string, params: readonly unknown[] = []) =>
    page.evaluate((request) => (window.ethereum as { request(call: unknown): Promise<unknown> }).request(request), {
      method,
      params,
    })
  const switched = call('wallet_switchEthereumChain', [{ chainId: '0xa' }])
  await expect(page.getByRole('dialog')).toContainText('wants its wallet to be on ten (chain 10)')
  await page.getByRole('dialog').getByRole('button', { name: 'Switch' }).click()
  expect(await switched).toBeNull()
  expect(await call('eth_chainId')).toBe('0xa')
  expect(await call('eth_blockNumber')).toBe('0x0')
  expect(await playground.request('eth_chainId')).toBe('0x7a69')
})

test('the menu leads to a fork: its address is typed, the endpoint tried, and what it lacks is told', async ({
  playground,
  page,
  endpoint,
}) => {
  const { url } = await endpoint({
    change(method, answer) {
      if (method === 'eth_getProof') throw new Error('the method eth_getProof is not available')
      return answer
    },
  })
  await playground.open({ storage: 'asked' })
  await page.getByRole('button', { name: 'Chain: main' }).click()
  await page.getByRole('button', { name: 'Fork a chain…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Fork a chain' })
  await dialog.getByRole('textbox', { name: 'URL of its endpoint' }).fill('rpc.example')
  await dialog.getByRole('button', { name: 'Try the endpoint' }).click()
  await expect(dialog).toContainText('Not an address.')
  await dialog.getByRole('textbox', { name: 'URL of its endpoint' }).fill(url)
  await dialog.getByRole('textbox', { name: 'After block' }).fill('1')
  await dialog.getByRole('button', { name: 'Try the endpoint' }).click()
  const findings = page.getByRole('list', { name: 'What the endpoint can do' })
  await expect(findings).toContainText('No proofs of the state at block 1')
  await expect(findings).toContainText('the method eth_getProof is not available')
  await page.getByRole('button', { name: 'Start the fork' }).click()
  await playground.ready()
  const button = page.getByRole('button', { name: 'Chain: fork of 31337 at #1, not proven' })
  await expect(button).toBeVisible()
  // The development accounts are funded in the first block: minutes after the other chain's, not years.
  const timestampAt = async (block: string) =>
    Number(((await playground.request('eth_getBlockByNumber', [block, false])) as { timestamp: string }).timestamp)
  expect((await timestampAt('pending')) - (await timestampAt('0x1'))).toBeLessThan(600)

  await button.click()
  await page.getByRole('button', { name: 'Fork a chain…' }).click()
  await dialog.getByRole('textbox', { name: 'After block' }).fill('1')
  await dialog.getByRole('checkbox', { name: 'Start its clock now' }).check()
  await dialog.getByRole('button', { name: 'Try the endpoint' }).click()
  await page.getByRole('button', { name: 'Start the fork' }).click()
  await playground.ready()
  await expect(page).toHaveURL(/forkTime=now/)
  expect(Math.abs((await timestampAt('pending')) - Date.now() / 1000)).toBeLessThan(600)
})

test('an endpoint that lies is refused, and one that lets no page read its answers is told as such', async ({
  page,
  endpoint,
}) => {
  const lying = await endpoint({ change: (method, answer) => (method === 'eth_getCode' ? '0x6001' : answer) })
  await page.goto(`/?fork=${encodeURIComponent(lying.url)}`)
  await page.getByRole('button', { name: 'Start the fork' }).click()
  await expect(page.getByRole('alert')).toContainText('Use another endpoint.')
  await expect(page.getByRole('alert')).toContainText('is refused: its code does not have the hash')

  const closed = await endpoint({ cors: false })
  await page.goto(`/?fork=${encodeURIComponent(closed.url)}`)
  await page.getByRole('button', { name: 'Try the endpoint' }).click()
  await expect(page.getByRole('alert')).toContainText('it does not allow this page to read its answers (CORS)')
  await expect(page.getByRole('alert')).toContainText(`allow the origin ${new URL(page.url()).origin}`)
  await page.getByRole('button', { name: 'Start the fork' }).click()
  await expect(page.getByRole('heading', { name: 'The fork is not running' })).toBeVisible()
})

test('three examples need no key: nothing is sent before a press, which shows their contract; a limit is told as such', async ({
  playground,
  page,
  original: { node, token },
}) => {
  const asked: string[] = []
  await page.route('https://mainnet.base.org/', async (route) => {
    asked.push(route.request().method())
    const body = route.request().postData()
    if (body === null) return route.fulfill({ headers: CORS })
    const answer = await fetch(node.http, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
    return route.fulfill({ headers: CORS, contentType: 'application/json', body: await answer.text() })
  })
  await page.route('https://ethereum.reth.rs/rpc', (route) => route.fulfill({ status: 429, headers: CORS }))
  await playground.open({ storage: 'asked' })
  await page.getByRole('button', { name: 'Chain: main' }).click()
  await page.getByRole('button', { name: 'Fork a chain…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Fork a chain' })
  await expect(dialog.getByRole('button', { name: /^(Ethereum|Base|OP Mainnet) at / })).toHaveText([
    'Ethereum at ethereum.reth.rs',
    'Base at mainnet.base.org',
    'OP Mainnet at mainnet.optimism.io',
  ])
  expect(asked).toEqual([])
  expectFailedRequests(playground)
  await dialog.getByRole('button', { name: 'Ethereum at ethereum.reth.rs' }).click()
  await expect(page.getByRole('alert')).toContainText('It received too many requests.')

  await page.getByRole('button', { name: 'Another endpoint…' }).click()
  await dialog.getByRole('button', { name: 'Base at mainnet.base.org' }).click()
  await expect(page.getByRole('list', { name: 'What the endpoint can do' })).toContainText('Chain 31337')
  expect(asked).not.toEqual([])
  await page.getByRole('button', { name: 'Start the fork' }).click()
  await playground.ready()
  await expect(page).toHaveURL(/#\/address\/0xd0b53d9277642d899df5c87a3966a349a798f224\/contract$/)

  // What people fork for: a token of the real chain, for oneself.
  await page.evaluate((path) => location.assign(path), `#/address/${token}/contract`)
  const form = page.getByRole('form', { name: 'Give tokens' })
  await form.getByRole('textbox').fill('5,000')
  await form.getByRole('combobox', { name: 'To' }).selectOption('3')
  await form.getByRole('button', { name: 'Give tokens' }).click()
  await expect(form.getByRole('status')).toHaveText('Account 3 has 5,000 tokens now, in the pending block.')
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('two tabs have the same fork, the second goes on with it, also without the endpoint, and a file of it opens elsewhere', async ({
    playground,
    page,
    context,
    original: { newest },
    endpoint,
  }) => {
    const { url, stop } = await endpoint()
    const address = `/?clock=manual&fork=${encodeURIComponent(`${url}@${newest}`)}`
    await page.goto(address)
    await page.getByRole('button', { name: 'Start the fork' }).click()
    await playground.ready()
    const hash = await playground.sendTransfer()
    await playground.tick()
    await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed/)

    const other = await context.newPage()
    const second = new Playground(other)
    await other.goto(address)
    await other.getByRole('button', { name: 'Start the fork' }).click()
    await second.ready()
    await expect(other.getByText('runs in another tab')).toBeAttached()
    expect(await second.request('eth_getTransactionByHash', [hash])).toMatchObject({ hash })
    expect(await second.request('eth_call', [{ to: CONTRACT }, 'pending'])).toBe(WORD)
    await expect(second.request('devnet_startChain', [{}])).rejects.toThrow('a fork cannot become another chain')
    await other.getByRole('button', { name: 'Share' }).click()
    const shared = other.getByRole('dialog', { name: 'Share what I see' })
    await expect(shared.getByText('This link opens a fork of the same chain')).toBeVisible()
    await expect(shared.getByText(`fork=${encodeURIComponent(`${url}/@${newest}`)}`)).toBeVisible()
    await other.keyboard.press('Escape')

    // Scripts of the site reach this fork, and no other chain, by its name.
    await other.goto(`${new URL(other.url()).pathname}${new URL(other.url()).search}#/settings`)
    await second.ready()
    const route = other.getByRole('region', { name: 'Endpoint' }).getByText(/rpc\?chain=fork-[0-9a-f]{24}$/)
    await expect(route).toBeVisible()
    const asked = await other.evaluate(
      async (rpc) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'devnet_status', params: [] })
        const answer = await fetch(rpc, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
        return (await answer.json()) as { readonly result: { readonly fork: { readonly number: string } } }
      },
      await route.innerText(),
    )
    expect(Number(asked.result.fork.number)).toBe(newest)

    expectFailedRequests(playground)
    stop()
    await page.close()
    await expect(other.getByText('runs in this tab')).toBeAttached()
    expect(await second.request('eth_getTransactionByHash', [hash])).toMatchObject({ hash })
    await second.request('devnet_tick', [10])
    await other.reload()
    await second.ready()
    expect(await second.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
    expect(await second.request('eth_call', [{ to: CONTRACT }, 'pending'])).toBe(WORD)

    const file = await other.evaluate(async () => Array.from((await window.devnet?.exportChain()) ?? []))
    const third = new Playground(await context.newPage())
    await third.open()
    await third.request('devnet_importChain', [Buffer.from(file).toString('base64')])
    await third.ready()
    expect(await third.request('eth_call', [{ to: CONTRACT }, 'pending'])).toBe(WORD)
    expect(await third.request('devnet_status')).toMatchObject({ fork: { isOffline: true } })
  })
})
