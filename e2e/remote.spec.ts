import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { encodeFunctionData, parseAbi } from 'viem'
import { compileStandard } from '../src/testing/solidity/solc.ts'
import { expectNoFindingsInBothThemes } from './axe.ts'
import { COMPILE_MS } from './contracts.ts'
import { expect, expectFailedRequests, freePort, test } from './remote-nodes.ts'
import { ALICE } from './token.ts'

const address = (url: string, more = '') => `/?rpc=${encodeURIComponent(url)}${more}`

const TRANSPORTS = ['webSocket', 'http'] as const

test('the page shows a Blinknet chain in Node.js like its own', async ({ playground, page, nodes }) => {
  const node = await nodes.blinknet(['--clock', 'manual'])
  for (const [i, transport] of TRANSPORTS.entries()) {
    await test.step(`over ${transport}`, async () => {
      await page.goto(address(node[transport]))
      await playground.ready()
      await expect(playground.pendingBlock).toContainText(`Block #${i + 1}`)

      const hash = await playground.sendTransfer()
      expect(await node.rpc('chain_transactionStatus', hash)).toEqual({ status: 'Known' })
      await playground.step()
      await expect(playground.transaction(hash)).toHaveAccessibleName(new RegExp(`pre-confirmed in block ${i + 1}`))
      await node.rpc('devnet_tick', 9)
      await expect(playground.transaction(hash)).toHaveAccessibleName(new RegExp(`sealed in block ${i + 1}, success`))
      await expect(playground.pendingBlock).toContainText(`Block #${i + 2}`)
    })
  }
})

test('on a running clock pending blocks are pushed', async ({ playground, page, nodes }) => {
  const node = await nodes.blinknet()
  await page.goto(address(node.webSocket))
  await playground.ready()
  const live = /#(\d+)/.exec((await playground.pendingBlock.textContent()) ?? '')?.[1]
  await expect(page.getByRole('link', { name: `Block ${live},` })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Limits of this endpoint' })).toBeHidden()
})

test('anvil is shown without what it lacks', async ({ playground, page, nodes }) => {
  const node = await nodes.anvil()
  for (const [i, transport] of TRANSPORTS.entries()) {
    await test.step(`over ${transport} anvil is shown with its missing features listed`, async () => {
      const sealed = 1 + 2 * i
      await page.goto(address(node[transport]))
      await playground.ready()
      const lacks = page.getByRole('region', { name: 'Limits of this endpoint' })
      await expect(lacks).toContainText('This endpoint has no pre-confirmations: ')
      await playground.chainButton.click()
      await expect(playground.stepButton).toBeHidden()
      await page.keyboard.press('Escape')
      await expect(playground.pendingBlock).toContainText('Pending')

      const hash = await playground.sendTransfer()
      await expect(playground.transaction(hash)).toHaveAccessibleName(new RegExp(`sealed in block ${sealed}, success`))
      await node.rpc('evm_mine')
      await expect(page.getByRole('link', { name: `Block ${sealed + 1},` })).toBeVisible()

      await expect(playground.transactions.getByRole('columnheader', { name: 'Partial' })).toHaveCount(0)

      await playground.openTransaction(hash)
      const overview = page.getByRole('tabpanel', { name: 'Overview' })
      await expect(overview).toContainText('success')
      await expect(overview).toContainText('for 21,000 gas')
      await expect(page.getByRole('region', { name: 'Timeline' })).toBeHidden()
      await page.goBack()
      await playground.openSealedBlock(sealed)
      await expect(page.getByRole('heading', { name: `Block #${sealed}` })).toBeVisible()
    })
  }

  await test.step('for an endpoint without Blinknet’s methods every screen says what is missing, and shows the rest', async () => {
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    const hash = await playground.sendTransfer()
    await expect(playground.transaction(hash)).toHaveAccessibleName(/sealed in block 5, success/)
    const go = async (path: string) => {
      await page.evaluate((to) => {
        location.hash = to
      }, path)
    }
    await go(`/tx/${hash}/receipt`)
    const receipt = page.getByRole('table', { name: 'Receipt', exact: true })
    await expect(receipt.getByRole('row', { name: 'status 0x1' })).toBeVisible()
    await expect(page.getByText('This chain does not pre-confirm')).toBeVisible()
    await go(`/tx/${hash}/calls`)
    await expect(page.getByRole('tabpanel', { name: 'Calls' })).toContainText('21,000 gas')

    await go('/address/0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266/storage')
    await expect(page.getByText('This endpoint cannot list an account’s slots')).toBeVisible()
    await page.getByRole('button', { name: 'Read' }).click()
    await expect(page.getByRole('tabpanel', { name: 'Storage' })).toContainText(`0x${'0'.repeat(64)}`)

    await go('/send')
    const outcome = page.getByRole('region', { name: 'Expected outcome' })
    await expect(outcome).toContainText('It goes into the next block.')
    await page.getByRole('button', { name: 'Sign & send' }).click()
    const sent = page.getByRole('region', { name: 'Sent', exact: true })
    await expect(sent).toContainText('this endpoint records no times')
    await expect(sent.getByRole('status', { name: /sealed in block 6, success/ })).toBeVisible()

    await go('/contracts')
    await expect(page.getByText('No contracts yet.')).toBeVisible()
    await go('/settings')
    await expect(page.getByText('This endpoint is not a Blinknet node')).toBeVisible()
  })
})

test('a chain without development accounts can be watched but not used', async ({ playground, page, nodes }) => {
  const node = await nodes.anvil(['--accounts', '0'])
  await page.goto(address(node.http))
  await playground.ready()
  const lacks = page.getByRole('region', { name: 'Limits of this endpoint' })
  await expect(lacks).toContainText('no development accounts')
  await expect(playground.sendButton).toBeHidden()
  await expect(page.getByRole('region', { name: 'Send a transfer' })).toBeHidden()
})

test('addresses at which no chain can be reached are explained', async ({ playground, page, nodes }) => {
  await test.step('a WebSocket that does not open is explained', async () => {
    const port = await freePort()
    await page.goto(address(`ws://127.0.0.1:${port}`))
    await expect(page.getByRole('alert')).toContainText('No server answers')
    expectFailedRequests(playground)
  })

  await test.step('a server that does not allow this origin is distinguished from one that is down', async () => {
    const server = createServer((_request, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'))
    const port = await freePort()
    server.listen(port, '127.0.0.1')
    await page.goto(address(`http://127.0.0.1:${port}`))
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('CORS')
    await expect(alert).toContainText(`allow the origin ${new URL(page.url()).origin}`)
    server.close()
    expectFailedRequests(playground)
  })

  await test.step('an address without an answer is explained, and can be tried again', async () => {
    const port = await freePort()
    await page.goto(address(`http://127.0.0.1:${port}`))
    await expect(page.getByRole('alert')).toContainText(`No server answers at http://127.0.0.1:${port}/`)
    await nodes.blinknet([], port)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(playground.pendingBlock).toBeVisible()
    expectFailedRequests(playground)
  })
})

test('a lost connection is restored automatically', async ({ playground, page, nodes }) => {
  const port = await freePort()
  const node = await nodes.blinknet([], port)
  await page.goto(address(node.webSocket))
  await expect(playground.pendingBlock).toBeVisible()
  await node.stop()
  await expect(page.getByRole('heading', { name: 'The connection was lost' })).toBeVisible()
  await nodes.blinknet([], port)
  await expect(playground.pendingBlock).toBeVisible()
  expectFailedRequests(playground)
})

test('what the address asks of a remote chain is checked first', async ({ playground, page, nodes }) => {
  await test.step('for a wrong address there is a warning, and the built-in chain runs', async () => {
    await page.goto('/?rpc=localhost:8545&clock=manual&storage=off')
    await playground.ready()
    await expect(page.getByText('?rpc= takes the address of a chain, not “localhost:8545”')).toBeVisible()
    await expect(playground.pendingBlock).toContainText('Block #1')
  })

  await test.step('a host elsewhere that only a link names is asked nothing before a person agrees, and once', async () => {
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).hostname === 'elsewhere.invalid') elsewhere.push(request.url())
    })
    await page.goto(address('http://elsewhere.invalid:8545'))
    const question = page.getByRole('heading', { name: 'Connect to the chain at elsewhere.invalid:8545?' })
    await expect(question).toBeVisible()
    await expectNoFindingsInBothThemes(page, 'the question before a page connects elsewhere')
    await page.reload()
    await expect(question).toBeVisible()
    expect(elsewhere).toEqual([])
    await page.getByRole('main').getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('No server answers at http://elsewhere.invalid:8545/')
    expect(elsewhere.length).toBeGreaterThan(0)
    await page.reload()
    await expect(page.getByRole('alert')).toContainText('No server answers')
    expectFailedRequests(playground)
  })

  await test.step('a chain with another id than in the address is refused', async () => {
    const node = await nodes.blinknet()
    await page.goto(address(node.http, '&chainId=1'))
    await expect(page.getByRole('alert')).toContainText('serves chain 31337; the address of this page asks for chain 1')
  })

  await test.step('a load from the address reaches a remote chain only after a click', async () => {
    const node = await nodes.blinknet(['--clock', 'manual'])
    await page.goto(address(node.webSocket, '&load=10&storage=off'))
    await playground.ready()
    const question = page.getByRole('region', { name: 'Load from the page’s address' })
    await expect(question).toContainText('sends them to the remote chain in the link')
    expect(await node.rpc('txpool_status')).toMatchObject({ pending: '0x0', queued: '0x0' })
    await question.getByRole('button', { name: 'Start the load' }).click()
    await expect.poll(() => node.rpc('txpool_status')).not.toMatchObject({ pending: '0x0' })
  })
})

test('the page goes to a remote chain and back, on the same screen', async ({ playground, page, nodes }) => {
  const node = await nodes.blinknet()
  await playground.open({ path: '/block/0', storage: 'stored' })
  await page.getByRole('button', { name: 'Chain: main' }).click()
  await page.getByRole('button', { name: 'Endpoint…' }).click()
  await page.getByRole('textbox', { name: 'URL of a node' }).fill('nonsense')
  await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByRole('dialog')).toContainText('Not an address')
  await page.getByRole('textbox', { name: 'URL of a node' }).fill(node.http)
  await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click()

  await expect(page).toHaveURL(/\/remote\.html\?.*#\/block\/0$/)
  await expect(page.getByRole('heading', { name: 'Block #0' })).toBeVisible()
  await page.getByRole('button', { name: `Endpoint: ${new URL(node.http).host}` }).click()
  await expect(page.getByRole('dialog')).toContainText('chain 31337, Blinknet')
  await page.getByRole('button', { name: 'Close' }).click()

  // Over HTTP nothing is pushed; the page offers the WebSocket address.
  await page.getByRole('link', { name: 'Live', exact: true }).click()
  await page.getByRole('button', { name: 'Connect over WebSocket' }).click()
  await expect(page).toHaveURL(/rpc=ws%3A/)
  await playground.ready()
  await expect(page.getByRole('region', { name: 'Limits of this endpoint' })).toBeHidden()

  await page.evaluate(() => {
    location.hash = '/block/0'
  })
  await page.getByRole('button', { name: `Endpoint: ${new URL(node.http).host}` }).click()
  await page.getByRole('button', { name: 'Back to the built-in chain' }).click()
  await expect(page).toHaveURL(/\/block\/0\?clock=manual/)
  await playground.ready()
})

test.describe('axe', () => {
  // axe is injected as a string, which the page's policy forbids.
  test.use({ bypassCSP: true })

  test('axe finds nothing on the remote screens', async ({ playground, page, nodes }) => {
    const node = await nodes.anvil()
    await page.goto(address(node.http))
    await playground.ready()
    await playground.sendTransfer()
    await expectNoFindingsInBothThemes(page, 'live')
    await page.getByRole('button', { name: /^Endpoint: / }).click()
    await expectNoFindingsInBothThemes(page, 'endpoint')
    await page.goto(address(`http://127.0.0.1:${await freePort()}`))
    await expect(page.getByRole('alert')).toBeVisible()
    await expectNoFindingsInBothThemes(page, 'no server')
    expectFailedRequests(playground)
  })
})

/** What adds in a function of its own, as the stack trace tells. */
const PURSE = `pragma solidity ^0.8.0;
contract Purse {
  uint256 public held = 1;
  function add(uint256 amount) external {
    held = sum(amount);
  }
  function sum(uint256 amount) internal view returns (uint256) {
    return held + amount;
  }
}`

test('sources that the server has by --artifacts are those of stack traces, debugger, variables and accounts', async ({
  playground,
  page,
  nodes,
}, testInfo) => {
  const { input, output } = compileStandard({ 'src/Purse.sol': PURSE })
  const compiled = output.contracts['src/Purse.sol']?.['Purse']
  const { ast, id } = output.sources['src/Purse.sol'] ?? {}
  const project = testInfo.outputPath('project')
  const out = join(project, 'out', 'Purse.sol')
  await mkdir(out, { recursive: true })
  await mkdir(join(project, 'src'))
  await writeFile(join(project, 'src', 'Purse.sol'), input.sources['src/Purse.sol']?.content ?? '')
  const { bytecode, deployedBytecode } = compiled?.evm ?? {}
  const artifact = { ...compiled, bytecode, deployedBytecode, ast, id }
  await writeFile(join(out, 'Purse.json'), JSON.stringify(artifact))

  const node = await nodes.blinknet(['--clock', 'manual', '--artifacts', join(project, 'out')])
  const send = (call: Readonly<Record<string, unknown>>) =>
    node.rpc('eth_sendTransaction', { from: ALICE, gas: '0x100000', ...call })
  const created = await send({ input: `0x${bytecode?.object ?? ''}` })
  await node.rpc('devnet_tick', 10)
  const { contractAddress } = (await node.rpc('eth_getTransactionReceipt', created)) as { contractAddress: string }
  const added = await send({ to: contractAddress, input: encodeAdd(7n) })
  const failed = await send({ to: contractAddress, input: encodeAdd(2n ** 256n - 1n) })
  await node.rpc('devnet_tick', 10)

  await page.goto(address(node.http))
  await playground.ready()
  const go = (to: string) => page.evaluate((hash) => void (location.hash = hash), to)
  await go(`/tx/${String(failed)}`)
  const trace = page.getByRole('list', { name: /^Stack trace/ })
  await expect(trace.getByRole('listitem').first()).toContainText('src/Purse.sol:8')
  await page.getByRole('link', { name: 'Debug step by step' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Debugger' })).toBeVisible()
  await expect(page.getByRole('region', { name: /Purse\.sol/ }).first()).toContainText('contract Purse')

  await go(`/tx/${String(added)}/state`)
  await expect(page.getByRole('tabpanel')).toContainText('held')

  await go(`/address/${contractAddress}/source`)
  await expect(page.getByRole('tabpanel')).toContainText('found by its bytecode')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('status').filter({ hasText: '✓ Verified' })).toBeVisible({ timeout: COMPILE_MS })
  await page.getByRole('tab', { name: 'Storage' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('held')
})

/** The call of `add`. */
const encodeAdd = (amount: bigint) =>
  encodeFunctionData({ abi: parseAbi(['function add(uint256)']), functionName: 'add', args: [amount] })
