import { expect, type PreparedChains, test } from 'blinknet/playwright'
import { encodeEventTopics, parseAbi, parseEther, toHex } from 'viem'

const JAR = '0x00000000000000000000000000000000000071b5'
/** A contract that may refuse. */
const KITCHEN = '0x00000000000000000000000000000000000071b6'
const TIP = parseEther('0.01')
/** Somebody who gives much; nobody here has the key. */
const PATRON = '0x000000000000000000000000000000000000a11c'

/** A contract on Base that promises tips. */
const NOTARY = '0x0000000000000000000000000000000000000707'
const NOTARY_ABI = parseAbi(['event Promised(uint256 amount)'])

/** Runs once in each worker process; every test begins with what it leaves. */
async function prepare({ chains }: PreparedChains): Promise<void> {
  for (const name of chains.names) {
    await chains.get(name).request({ method: 'anvil_setBalance', params: [PATRON, toHex(parseEther('5'))] })
  }
  await chains.get('base').request({ method: 'anvil_setBalance', params: [JAR, toHex(parseEther('1'))] })
}

test.use({
  chains: { ethereum: { chainId: 1 }, base: { chainId: 8453 } },
  // Where the dapp calls each of them; nothing listens there.
  rpcUrls: { 'http://localhost:8545': 'ethereum', 'https://mainnet.base.org': 'base' },
  prepare,
})

test('the dapp shows what is in both jars', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByText('0 ETH', { exact: true })).toBeVisible()
  await expect(page.getByText('1 ETH', { exact: true })).toBeVisible()
})

test('a tip on Base has the wallet switch, and Ethereum has none of it', async ({ page, chains, wallet }) => {
  const [ethereum, base] = [chains.get('ethereum'), chains.get('base')]
  await page.goto('/')
  await expect(base).toChangeBalances({ [JAR]: TIP }, async () => {
    await page.getByRole('button', { name: 'Tip on Base' }).click()
    await expect(page.getByText('On its way')).toBeVisible()
    await chains.tick()
  })
  expect(wallet.chainId).toBe(8453)
  await expect(base).toHavePreconfirmed(wallet.lastTransaction)
  await expect(ethereum).not.toHavePreconfirmed(wallet.lastTransaction)
  await chains.seal()
  await expect(page.getByText('Thank you')).toBeVisible()
  await expect(page.getByText('1.01 ETH', { exact: true })).toBeVisible()
})

test('an endpoint of Base that fails does not keep anyone from tipping on Ethereum', async ({
  page,
  chains,
  wallet,
}) => {
  const error = { code: -32000, message: 'the endpoint is tired' }
  await chains.get('base').failNext({ methods: ['eth_getBalance'], error, times: 100 })
  await page.goto('/')
  await page.getByRole('button', { name: 'Tip on Ethereum' }).click()
  await expect(page.getByText('On its way')).toBeVisible()
  await chains.seal()
  await expect(page.getByText('Thank you')).toBeVisible()
  await expect(chains.get('ethereum')).toHaveSealed(wallet.lastTransaction)
})

test('somebody whose key nobody has tips', async ({ page, chains, wallet }) => {
  await wallet.use(PATRON)
  await page.goto('/')
  await page.getByRole('button', { name: 'Tip on Base' }).click()
  await expect(page.getByText('On its way')).toBeVisible()
  await chains.seal()
  await expect(page.getByText('1.01 ETH', { exact: true })).toBeVisible()
})

test('what a notary on Base says becomes a tip on Ethereum, as late as the test wants', async ({ chains }) => {
  const [ethereum, base] = [chains.get('ethereum'), chains.get('base')]
  const [topic = '0x'] = encodeEventTopics({ abi: NOTARY_ABI, eventName: 'Promised' })
  // A contract that says so when it is called, with the first word of the call.
  await base.request({ method: 'anvil_setCode', params: [NOTARY, `0x5f355f527f${topic.slice(2)}60205fa100`] })
  const promises = chains.bridge({
    from: 'base',
    event: { address: NOTARY, abi: NOTARY_ABI, name: 'Promised' },
    to: 'ethereum',
    call: ({ amount }) => ({ to: JAR, value: amount, from: PATRON }),
  })
  const [from] = await base.request({ method: 'eth_accounts' })
  await base.request({ method: 'eth_sendTransaction', params: [{ from, to: NOTARY, input: toHex(TIP, { size: 32 }) }] })
  await chains.seal()
  expect(await promises.waiting()).toMatchObject([{ args: { amount: TIP } }])
  await expect(ethereum).toChangeBalances({ [JAR]: TIP }, async () => {
    await promises.deliver()
    await chains.tick()
  })
})

test.describe('a person who looks at each request', () => {
  test.use({ wallet: { approve: 'manual' } })

  test('may refuse to switch, and pays nothing', async ({ page, wallet }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Tip on Base' }).click()
    expect(await wallet.approve()).toMatchObject({ kind: 'connect' })
    expect(await wallet.refuse()).toEqual({ kind: 'switch-chain', chainId: '0x2105' })
    await expect(page.getByText('You refused')).toBeVisible()
    expect(wallet.chainId).toBe(1)
    expect(wallet.transactions).toEqual([])
  })
})

test.describe('a wallet that does not know Base', () => {
  test.use({ wallet: { knows: ['ethereum'] } })

  test('is told of it by the dapp', async ({ page, chains, wallet }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Tip on Base' }).click()
    await expect(page.getByText('On its way')).toBeVisible()
    expect(wallet.chainId).toBe(8453)
    await chains.tick()
    await expect(chains.get('base')).toHavePreconfirmed(wallet.lastTransaction)
  })
})

// The dapp has a branch for wallets that make several calls one transaction (EIP-5792), and one for those that do not.
for (const atomic of ['supported', 'ready', 'unsupported'] as const) {
  test.describe(`with a wallet whose atomic bundles are ${atomic}`, () => {
    test.use({ wallet: { atomic } })

    test('both get their tips', async ({ page, chains, wallet }) => {
      const isAtOnce = atomic !== 'unsupported'
      await page.goto('/')
      await expect(chains.get('ethereum')).toChangeBalances({ [JAR]: TIP, [KITCHEN]: TIP }, async () => {
        await page.getByRole('button', { name: 'and the kitchen' }).first().click()
        await expect(page.getByText(isAtOnce ? 'at once' : 'one after the other')).toBeVisible()
        await chains.tick()
      })
      await expect(page.getByText('Both thank you')).toBeVisible()
      expect(wallet.transactions).toHaveLength(isAtOnce ? 1 : 2)
    })
  })
}

test.describe('with a wallet that asks before it upgrades the account', () => {
  test.use({ wallet: { atomic: 'ready', approve: 'manual' } })

  test('a person who does not want that sends nothing', async ({ page, wallet }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'and the kitchen' }).first().click()
    expect(await wallet.approve()).toMatchObject({ kind: 'connect' })
    expect(await wallet.refuse()).toMatchObject({ kind: 'upgrade', account: wallet.address })
    await expect(page.getByText('You refused')).toBeVisible()
    expect(wallet.transactions).toEqual([])
  })
})

for (const [atomic, said] of [
  ['unsupported', 'Only one of them got its tip'],
  ['supported', 'Nobody got a tip'],
] as const) {
  test.describe(`where the kitchen refuses tips, and atomic bundles are ${atomic}`, () => {
    test.use({ wallet: { atomic, mayFail: true } })

    test('the dapp says what became of them', async ({ page, chains }) => {
      await chains.get('ethereum').request({ method: 'anvil_setCode', params: [KITCHEN, '0x5f5ffd'] })
      await page.goto('/')
      await page.getByRole('button', { name: 'and the kitchen' }).first().click()
      await expect(page.getByText('on their way')).toBeVisible()
      await chains.tick()
      await expect(page.getByText(said)).toBeVisible()
    })
  })
}
