import { getContractAddress, type Hash } from 'viem'
import { LISTS } from '../src/ui/page/lists.ts'
import { deploySource } from './contracts.ts'
import { expect, type Playground, visit } from './playground.ts'
import { refuseData, sayData, TALKER } from './talker.ts'
import { ALICE, BOB, deployToken, sendFrom, transferData } from './token.ts'

/** The heading of the live screen. */
const LIVE = /^A chain that answers/

export interface Screen {
  readonly name: string
  /** The level-1 heading, which distinguishes this screen from the previous one. */
  readonly heading: string | RegExp
  /** Opens the screen as a person does, with something to see on it. */
  readonly visit: (playground: Playground) => Promise<unknown>
}

/** Screens that are visited one after the other, from the live screen each time. */
interface Journey {
  /** What happens on the chain first. */
  readonly start?: (playground: Playground) => Promise<unknown>
  readonly screens: readonly Screen[]
}

const populate = (playground: Playground) => playground.populate()

/** Deploys the token as Alice's first transaction, and has Bob transfer what he does not have. */
async function failWithToken(playground: Playground): Promise<void> {
  await deployToken(playground)
  await sendFrom(playground, { from: BOB, to: TOKEN, input: transferData(ALICE, 9n), gas: '0x186a0' })
  await playground.tick()
}

/** The address of what Alice creates with her first transaction. */
const TOKEN = getContractAddress({ from: ALICE, nonce: 0n })

/** How many transfers a full block has. */
const MANY = 60

/**
 * Deploys a contract that the page has compiled in block 1. Block 2 is pending: a call that writes to the console, many transfers, and
 * a call that fails.
 */
async function talk(playground: Playground): Promise<void> {
  await deploySource(playground, TALKER, 'Talker')
  await playground.tick(9)
  await sendFrom(playground, { from: ALICE, to: TOKEN, input: sayData(3n), gas: '0x40000' })
  await Promise.all(
    Array.from({ length: MANY }, () => sendFrom(playground, { from: ALICE, to: BOB, value: '0x1', gas: '0x5208' })),
  )
  await sendFrom(playground, { from: ALICE, to: TOKEN, input: refuseData(3n), gas: '0x40000' })
  await playground.tick()
  await visit(playground, '/')
}

/** A transaction of the pending block. */
async function pendingAt(playground: Playground, index: number): Promise<Hash> {
  const block = (await playground.request('eth_getBlockByNumber', ['pending', false])) as { transactions: Hash[] }
  return block.transactions.at(index) ?? '0x'
}

const newest = (playground: Playground) => pendingAt(playground, -1)

/** Every screen of the page. */
export const JOURNEYS: readonly Journey[] = [
  {
    start: populate,
    screens: [
      { name: 'live', heading: LIVE, visit: async () => {} },
      {
        name: 'transaction',
        heading: /^Transaction 0x/,
        visit: async (playground) => playground.openTransaction(await newest(playground)),
      },
      {
        name: 'account',
        heading: 'Account 0',
        visit: async (playground) => {
          await visit(playground, `/address/${ALICE}`)
          await expect(playground.page.getByText(/since the first block/)).toBeVisible()
        },
      },
      {
        name: 'sealed block',
        heading: 'Block #1',
        visit: async (playground) => {
          await playground.openSealedBlock(1)
        },
      },
    ],
  },
  {
    start: populate,
    screens: [
      {
        name: 'pending block',
        heading: /block #2$/i,
        visit: async (playground) => {
          await playground.openPendingBlock()
        },
      },
      {
        name: 'planned faults',
        heading: LIVE,
        visit: async (playground) => {
          await playground.request('devnet_stallPartialBlocks', [5])
          await expect(playground.page.getByRole('region', { name: 'Planned faults' })).toBeVisible()
        },
      },
      {
        name: 'RPC console',
        heading: 'RPC console',
        visit: async (playground) => {
          await playground.openConsole()
          const { page } = playground
          // Only a few of each, since axe takes time for every method and every row.
          await page.getByRole('searchbox', { name: 'Search methods' }).fill('eth_get balance')
          await page.getByRole('searchbox', { name: 'Filter by method or error' }).fill('eth_getBalance')
          await playground.runInConsole('eth_getBalance')
          await page.getByRole('button', { name: 'Pin', exact: true }).click()
          await page.getByRole('table', { name: 'Calls' }).getByRole('button').first().click()
        },
      },
    ],
  },
  {
    start: failWithToken,
    screens: [
      ...LISTS.map(
        ({ label, path }): Screen => ({
          name: label.toLowerCase(),
          heading: label,
          visit: async (playground) => {
            await visit(playground, path)
            const [table = label] = label.split(' ')
            const rows = playground.page.getByRole('table', { name: table }).getByRole('row')
            await expect(rows.nth(1)).toBeVisible()
          },
        }),
      ),
      {
        name: 'transactions, nothing to look for',
        heading: 'Transactions',
        visit: async (playground) => {
          await visit(playground, '/explore/transactions')
          await playground.page.getByLabel('Method').fill('no such method')
          await expect(playground.page.getByRole('heading', { name: 'Check the filters' })).toBeVisible()
        },
      },
      {
        name: 'transaction, calls',
        heading: /^Transaction 0x/,
        visit: async (playground) => {
          await visit(playground, `/tx/${await newest(playground)}/calls`)
          await playground.page.getByText('transfer(to:').click()
        },
      },
      {
        name: 'debugger',
        heading: 'Debugger',
        visit: async (playground) => {
          await visit(playground, `/tx/${await newest(playground)}/debug`)
          await playground.page.getByRole('button', { name: 'Next revert' }).click()
          await expect(playground.page.getByText('read at', { exact: false }).first()).toBeVisible()
        },
      },
      {
        name: 'account, tokens',
        heading: 'Account 0',
        visit: async (playground) => {
          await visit(playground, `/address/${ALICE}/tokens`)
          await expect(playground.page.getByRole('table', { name: 'Tokens' })).toContainText('1,000')
        },
      },
      {
        name: 'contract, code',
        heading: 'Contract',
        visit: async (playground) => {
          await visit(playground, `/address/${TOKEN}/code`)
          await expect(playground.page.getByRole('region', { name: 'Instructions' })).toBeVisible()
        },
      },
    ],
  },
  {
    start: talk,
    screens: [
      {
        name: 'transaction, console',
        heading: /^Transaction 0x/,
        visit: async (playground) => {
          await visit(playground, `/tx/${await pendingAt(playground, 0)}`)
          await expect(playground.page.getByRole('region', { name: 'Console' })).toContainText('said 6')
        },
      },
      {
        name: 'transaction, console and stack trace',
        heading: /^Transaction 0x/,
        visit: async (playground) => {
          await visit(playground, `/tx/${await newest(playground)}`)
          await expect(playground.page.getByRole('region', { name: 'Why it failed' })).toContainText('revert("no");')
          await expect(playground.page.getByRole('region', { name: 'Console' })).toContainText('about to refuse 3')
        },
      },
      {
        name: 'transaction, gas',
        heading: /^Transaction 0x/,
        visit: async (playground) => {
          await visit(playground, `/tx/${await pendingAt(playground, 0)}/gas`)
          await expect(playground.page.getByRole('table', { name: 'Gas by function' })).toBeVisible()
        },
      },
      {
        name: 'transaction, state changes',
        heading: /^Transaction 0x/,
        visit: async (playground) => {
          await visit(playground, `/tx/${await pendingAt(playground, 0)}/state`)
          await expect(playground.page.getByRole('table', { name: 'Changed variables of Talker' })).toBeVisible()
        },
      },
      {
        name: 'debugger, a source',
        heading: 'Debugger',
        visit: async (playground) => {
          await visit(playground, `/tx/${await pendingAt(playground, 0)}/debug`)
          await expect(playground.page.getByRole('list', { name: 'State variables of Talker' })).toBeVisible()
        },
      },
      {
        name: 'contract, calls',
        heading: 'Talker',
        visit: async (playground) => {
          await visit(playground, `/address/${TOKEN}/contract`)
          await expect(playground.page.getByRole('article', { name: 'refuse' })).toBeVisible()
        },
      },
      {
        name: 'contract, storage',
        heading: 'Talker',
        visit: async (playground) => {
          await visit(playground, `/address/${TOKEN}/storage`)
          await expect(playground.page.getByRole('table', { name: 'Variables of Talker' })).toBeVisible()
        },
      },
      {
        name: 'pending block, many transactions',
        heading: /block #2$/i,
        visit: async (playground) => {
          await visit(playground, '/block/pending')
          await expect(playground.transactions.getByRole('row').nth(20)).toBeVisible()
        },
      },
    ],
  },
  {
    screens: [
      {
        name: 'send',
        heading: 'Send a transaction',
        visit: async ({ page }) => {
          await page.getByRole('link', { name: 'Send', exact: true }).click()
          await page.getByText('The same with viem').click()
          await page.getByRole('button', { name: 'Sign & send' }).click()
          await expect(page.getByRole('region', { name: 'Sent' })).toBeVisible()
        },
      },
      { name: 'send, call', heading: 'Send a transaction', visit: (playground) => openView(playground, 'Call') },
      {
        name: 'errors',
        heading: 'Transaction errors',
        visit: async (playground) => {
          await openView(playground, 'Errors')
          const card = playground.page.getByRole('article', { name: 'Intrinsic gas' })
          await card.getByRole('button', { name: 'Trigger' }).click()
          await expect(card.getByText('As expected')).toBeVisible()
        },
      },
      {
        name: 'waiting transaction',
        heading: /^Transaction 0x/,
        visit: async ({ page }) => {
          await page.getByRole('link', { name: 'Send', exact: true }).click()
          await page.getByLabel('Nonce').fill('3')
          await page.getByRole('button', { name: 'Sign & send' }).click()
          await page.getByRole('region', { name: 'Sent' }).getByRole('link').click()
          await expect(page.getByRole('button', { name: 'Speed up' })).toBeEnabled()
        },
      },
    ],
  },
  {
    screens: [
      {
        name: 'contracts',
        heading: 'Contracts',
        visit: async (playground) => {
          const { page } = playground
          await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Contracts' }).click()
          await page.getByRole('button', { name: 'Compile', exact: true }).click()
          await page.getByRole('button', { name: 'Deploy Counter' }).click({ timeout: 60_000 })
          await expect(page.getByRole('region', { name: 'Deployment of Counter' })).toBeVisible()
          await playground.tick()
          await page.getByRole('button', { name: 'Send increment' }).click()
          await expect(page.getByRole('article', { name: 'increment' }).getByRole('status')).toBeVisible()
          await playground.tick()
          await expect(page.getByRole('list', { name: 'Events' }).getByText('Raised')).toBeVisible()
        },
      },
      {
        name: 'contracts, a project with folders',
        heading: 'Contracts',
        visit: async ({ page }) => {
          await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Contracts' }).click()
          await page.getByLabel('Project or example').selectOption('Vote (OpenZeppelin)')
          await page.getByRole('button', { name: 'New file', exact: true }).click()
          await page
            .getByLabel('Name of the new file')
            .fill('src/a folder with a long name/AnotherFileWithALongName.sol')
          await page.keyboard.press('Enter')
          await page.keyboard.press('F2')
          await expect(page.getByLabel('New name')).toBeVisible()
          await page.getByRole('textbox', { name: 'Solidity source' }).focus()
          await page.keyboard.insertText('contract A { nothing x; }')
          await page.getByRole('button', { name: 'Compile', exact: true }).click()
          await expect(page.getByRole('list', { name: 'Problems' })).toBeVisible({ timeout: 60_000 })
          await page.getByText(/^Compiler options:/).click()
        },
      },
    ],
  },
  {
    screens: [
      {
        name: 'palette',
        heading: LIVE,
        visit: async ({ page }) => {
          await page.keyboard.press('Control+k')
          await page.getByRole('dialog').getByRole('combobox').fill('1')
          await expect(page.getByRole('option', { name: 'Block #1 pending' })).toBeVisible()
        },
      },
      {
        name: 'break the promise',
        heading: 'Break the promise',
        visit: async (playground) => {
          await visit(playground, '/break/polling/withdraw@1')
          await expect(playground.page.getByRole('tree', { name: 'Histories' })).toBeVisible()
        },
      },
      {
        name: 'share, a film',
        heading: LIVE,
        visit: async ({ page }) => {
          await page.getByRole('button', { name: 'Share' }).click()
          await page.getByRole('radio', { name: 'A film of it' }).check()
          await expect(page.getByRole('button', { name: 'Save the film' })).toBeVisible()
        },
      },
      {
        name: 'share, an exact link',
        heading: LIVE,
        visit: async ({ page }) => {
          await page.getByRole('button', { name: 'Share' }).click()
          await page.getByRole('radio', { name: 'An exact link' }).check()
          await expect(page.getByRole('button', { name: 'Copy the link' })).toBeVisible()
        },
      },
      {
        name: 'settings',
        heading: 'Settings',
        visit: async ({ page }) => {
          await page.getByRole('link', { name: 'Settings' }).click()
          await page.getByText('Open a chain with other options').click()
          await page.getByRole('textbox', { name: 'Seed' }).fill('-1')
          await expect(page.getByText('Enter a whole number from 0 to 4294967295.')).toBeVisible()
        },
      },
      {
        name: 'tour',
        heading: LIVE,
        visit: async ({ page }) => {
          await page.getByRole('button', { name: 'Start the tour' }).click()
          const tour = page.getByRole('region', { name: 'Guided tour' })
          await tour.getByRole('button', { name: /^Send/ }).click()
          await tour.getByRole('button', { name: 'Next: a tick' }).click()
          await tour.getByRole('button', { name: 'Step' }).click()
          await tour.getByRole('button', { name: 'Next: its receipt' }).click()
          await expect(tour.getByRole('table')).toBeVisible()
          await tour.getByRole('button', { name: 'pending', exact: true }).focus()
        },
      },
    ],
  },
  {
    screens: [
      {
        name: 'unknown transaction',
        heading: 'Transaction not found',
        visit: (playground) => visit(playground, `/tx/0x${'ab'.repeat(32)}`),
      },
      {
        name: 'unknown block',
        heading: 'Block #999 does not exist yet',
        visit: (playground) => visit(playground, '/block/999'),
      },
      { name: 'no such page', heading: 'Page not found', visit: (playground) => visit(playground, '/nowhere') },
    ],
  },
]

async function openView({ page }: Playground, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Send', exact: true }).click()
  await page.getByRole('radio', { name, exact: true }).check()
}
