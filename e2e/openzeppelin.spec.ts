import type { Locator, Page } from '@playwright/test'
import { COMPILE_MS, openContracts } from './contracts.ts'
import { expect, type Playground, test } from './playground.ts'
import { ALICE, BOB } from './token.ts'

/** The ticks of a block. */
const BLOCK = 10

const call = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const problems = (page: Page) => page.getByRole('list', { name: 'Problems' })

async function compile(page: Page, example: string): Promise<void> {
  await page.getByLabel('Project or example').selectOption(example)
  await page.getByRole('button', { name: 'Compile', exact: true }).click()
  await expect(page.getByText(/^Compiled 3 contracts in/)).toBeVisible({ timeout: COMPILE_MS })
}

/** Deploys one of the compiled contracts; resolves with its address once a block has it. */
async function deploy(playground: Playground, name: string, args: readonly string[] = []): Promise<string> {
  const { page } = playground
  await page.getByLabel('Contract', { exact: true }).selectOption(name)
  const panel = page.getByRole('region', { name: 'Deploy', exact: true })
  for (const [i, arg] of args.entries()) await panel.getByLabel(new RegExp(`^Argument ${i + 1}:`)).fill(arg)
  await page.getByRole('button', { name: `Deploy ${name}`, exact: true }).click()
  const deployment = page.getByRole('region', { name: `Deployment of ${name}` })
  await expect(deployment.getByText('In the mempool', { exact: true })).toBeVisible()
  await playground.tick()
  await expect(deployment.getByText('Address:')).toBeVisible()
  const chosen = page.getByLabel('Deployed contracts')
  await expect(chosen.locator('option:checked')).toHaveText(new RegExp(`^${name} · `))
  return chosen.inputValue()
}

async function fill(article: Locator, args: readonly string[]): Promise<void> {
  for (const [i, arg] of args.entries()) await article.getByLabel(new RegExp(`^Argument ${i + 1}:`)).fill(arg)
}

/** Sends a call of the chosen contract, and ticks until it is pre-confirmed. */
async function send(playground: Playground, name: string, args: readonly string[]): Promise<void> {
  const article = call(playground.page, name)
  await fill(article, args)
  await article.getByRole('button', { name: `Send ${name}` }).click()
  const outcome = article.getByRole('status', { name: /^Transaction/ })
  await expect(outcome).toHaveAccessibleName(/in the mempool/)
  await playground.tick()
  await expect(outcome).toHaveAccessibleName(/pre-confirmed.*success/)
}

test.beforeEach(() => test.slow())

test('holders of a token with permits and votes change a motto by a governor', async ({ playground, page }) => {
  await playground.open()
  await openContracts(playground)
  await compile(page, 'Vote (OpenZeppelin)')
  const token = await deploy(playground, 'ClubToken')
  await send(playground, 'delegate', [ALICE])

  const domain = { name: 'Club token', version: '1', chainId: 31_337, verifyingContract: token }
  const deadline = '99999999999'
  const types = {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  }
  const message = { owner: ALICE, spender: BOB, value: '5', nonce: '0', deadline }
  const typed = JSON.stringify({ domain, types, primaryType: 'Permit', message })
  const signature = String(await playground.request('eth_signTypedData_v4', [ALICE, typed]))
  const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, Number(`0x${signature.slice(130)}`)]
  await send(playground, 'permit', [ALICE, BOB, '5', deadline, String(v), r, s])
  await fill(call(page, 'allowance'), [ALICE, BOB])
  await page.getByRole('button', { name: 'Call: allowance' }).click()
  await expect(page.getByLabel('Answer of allowance')).toHaveText(/^5\b/)

  const governor = await deploy(playground, 'ClubGovernor', [token])
  const club = await deploy(playground, 'Club', [governor])
  await expect(page.getByLabel('Answer of motto')).toContainText('We have no motto yet.')
  await playground.tick(BLOCK)

  await page.getByLabel('Deployed contracts').selectOption(governor)
  const motto = 'Soon is better than late.'
  await send(playground, 'proposeMotto', [club, motto])
  await playground.tick(2 * BLOCK)
  await fill(call(page, 'idOfMotto'), [club, motto])
  await page.getByRole('button', { name: 'Call: idOfMotto' }).click()
  const id = page.getByLabel('Answer of idOfMotto')
  await expect(id).toHaveText(/^[\d,]+$/)
  await send(playground, 'castVote', [(await id.innerText()).replaceAll(',', ''), '1'])
  await playground.tick(11 * BLOCK)
  await send(playground, 'executeMotto', [club, motto])

  await page.getByLabel('Deployed contracts').selectOption(club)
  await expect(page.getByLabel('Answer of motto')).toContainText(motto)
  await fill(call(page, 'setMotto'), ['Mine.'])
  await page.getByRole('button', { name: 'Send setMotto' }).click()
  await expect(call(page, 'setMotto').getByRole('alert')).toContainText('OwnableUnauthorizedAccount')
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('without a network a package that was never loaded is an error, and one that was is there', async ({
    playground,
    page,
    context,
  }) => {
    await playground.open()
    await openContracts(playground)
    await page.getByRole('button', { name: 'Compile', exact: true }).click()
    await expect(page.getByText(/saved in this browser/)).toBeVisible({ timeout: COMPILE_MS })
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await page.reload()
    await context.setOffline(true)
    await page.getByLabel('Project or example').selectOption('Upgrade (OpenZeppelin)')
    await page.getByRole('button', { name: 'Compile', exact: true }).click()
    await expect(problems(page)).toContainText('@openzeppelin/contracts-upgradeable could not be downloaded', {
      timeout: COMPILE_MS,
    })
    await expect(problems(page)).toContainText('Check the connection, then compile again.')

    await context.setOffline(false)
    await compile(page, 'Upgrade (OpenZeppelin)')
    await page.reload()
    await context.setOffline(true)
    await compile(page, 'Upgrade (OpenZeppelin)')
    const box = await deploy(playground, 'Box')
    const proxy = await deploy(playground, 'BoxProxy', [box, ALICE])

    // The proxy has no functions of its own; those of the Box behind it are called at its address.
    const view = page.getByRole('region', { name: 'Use', exact: true })
    await expect(view).toContainText('This is a proxy (EIP-1967). It runs the code of')
    await expect(view).toContainText('The functions below are those of Box')
    await send(playground, 'store', ['41'])
    await expect(page.getByLabel('Answer of value')).toHaveText('41')
    await expect(page.getByLabel('Answer of version')).toHaveText('1')

    const next = await deploy(playground, 'BoxV2')
    await page.getByLabel('Deployed contracts').selectOption(proxy)
    await send(playground, 'upgradeToAndCall', [next, '0x'])
    await expect(page.getByLabel('Answer of version')).toHaveText('2')
    await expect(page.getByLabel('Answer of value')).toHaveText('41')
    await expect(view).toContainText('The functions below are those of BoxV2')
    await send(playground, 'increment', [])
    await expect(page.getByLabel('Answer of value')).toHaveText('42')
    await expect(page.getByRole('list', { name: 'Events' }).getByRole('listitem').first()).toContainText('Stored')

    // The browser itself tells of what it could not load.
    const others = playground.complaints.filter((complaint) => !complaint.includes('net::ERR_INTERNET_DISCONNECTED'))
    playground.complaints.splice(0, playground.complaints.length, ...others)
  })
})
