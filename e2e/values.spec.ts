import { openContracts } from './contracts.ts'
import { expect, test } from './playground.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.29;
type Tick is int24;
contract Kinds {
    enum State { none, open, closed }
    struct Point { int16 x; State state; }
    Tick internal tick;
    State internal state;
    uint8[] internal empty;
    uint256 transient internal depth;
    uint256 public immutable limit;
    constructor(State first, uint256 most) { state = first; limit = most; }
    function echo(Point calldata point) external pure returns (Point memory) { return point; }
    function back(State given) external pure returns (State) { return given; }
    function pointer() external view returns (function() external) { return this.move; }
    function call(function() external given) external { given(); }
    function move() external { depth = 4; tick = Tick.wrap(-5); state = State.closed; depth = 0; }
}
`

test('values are entered and shown by their types', async ({ playground, page }) => {
  test.slow()
  await playground.open()
  await test.step('a constructor takes a value of an enum by its name, and its transaction tells the arguments', async () => {
    await openContracts(playground)
    await page.getByRole('textbox', { name: 'Solidity source' }).click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(SOURCE)
    await page.getByRole('button', { name: 'Compile', exact: true }).click()
    await page.getByLabel('Argument 1: first, State').selectOption('open', { timeout: 200_000 })
    await page.getByLabel('Argument 2: most, uint256').fill('12')
    await page.getByRole('button', { name: 'Deploy Kinds' }).click()
    await expect.poll(() => playground.request('txpool_status')).toMatchObject({ pending: '0x1' })
    await playground.tick()
    await expect(page.getByLabel('Deployed contracts')).toContainText('Kinds')
  })

  const article = (name: string) => page.getByRole('article', { name, exact: true })

  await test.step('an answer says for which arguments it is once the fields have others', async () => {
    const back = article('back')
    await back.getByLabel('Argument 1: given, State').selectOption('closed')
    await back.getByRole('button', { name: 'Call: back' }).click()
    await expect(back.getByLabel('Answer of back')).toHaveText('closed (2)')
    await back.getByLabel('Argument 1: given, State').selectOption('none')
    await expect(back.getByText('The answer to back(given: closed)')).toBeVisible()
    await back.getByRole('button', { name: 'Refresh: back' }).click()
    await expect(back.getByLabel('Answer of back')).toHaveText('none (0)')
    await expect(back.getByText('The answer to')).toHaveCount(0)
  })

  await test.step('a struct is pasted as JSON, with all of its members and no others', async () => {
    const echo = article('echo')
    const ask = echo.getByRole('button', { name: /^(Call|Refresh): echo$/ })
    await echo.getByRole('button', { name: 'JSON for Argument 1: point, Point' }).click()
    const json = echo.getByLabel('Argument 1: point, Point, as JSON')
    const refusals = [
      ['{"x": 1}', 'The member state, State, is missing.'],
      ['{"x": 1, "state": "open", "y": 2}', 'Point has no member y.'],
      ['{"x": 1, "state": 9}', 'Not one of the values of State: none, open, closed.'],
    ] as const
    for (const [text, refusal] of refusals) {
      await json.fill(text)
      await ask.click()
      await expect(json).toHaveAccessibleDescription(refusal)
    }
    await json.fill('{"x": -3, "state": "open"}')
    await ask.click()
    await expect(echo.getByLabel('Answer of echo')).toContainText('open (1)')
  })

  await test.step('a function is called by what another one answers', async () => {
    const pointer = article('pointer').getByLabel('Answer of pointer')
    await expect(pointer).toContainText('selector')
    const selector = /0x[\da-f]{8}/.exec((await pointer.textContent()) ?? '')?.[0] ?? ''
    const address = await page.getByLabel('Deployed contracts').inputValue()
    const call = article('call')
    await call.getByLabel('Argument 1: given, function').fill(`${address}.${selector}`)
    await call.getByRole('button', { name: 'Send call' }).click()
    await expect.poll(() => playground.request('txpool_status')).toMatchObject({ pending: '0x1' })
    await playground.tick(10)
    await call.getByRole('link', { name: /^0x/ }).click()
    await page.getByRole('tab', { name: 'State changes' }).click()
    const changes = page.getByRole('table', { name: 'Changed variables of Kinds' })
    await expect(changes.getByRole('row', { name: /^tick/ }).getByRole('cell')).toHaveText(['Tick', '0', '-5', '-5'])
    await expect(changes.getByRole('row', { name: /^state/ }).getByRole('cell')).toContainText([
      /State/,
      'open',
      'closed',
    ])
  })

  await test.step('the debugger has transient and immutable variables, and its steps over begin in the function', async () => {
    await page.getByRole('link', { name: 'Debug step by step' }).click()
    await page.getByRole('button', { name: 'To the start' }).click()
    await page.getByRole('button', { name: 'Step over', exact: true }).click()
    const status = page.getByRole('region', { name: 'Run' }).getByRole('status')
    await expect(status).toContainText('in Kinds.call')
    for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Next storage write' }).click()
    const variables = page.getByRole('list', { name: 'State variables of Kinds' })
    await expect(variables.getByRole('listitem').filter({ hasText: 'depth' })).toContainText('uint256, transient')
    await expect(variables.getByRole('listitem').filter({ hasText: 'depth' })).toContainText('4')
    await expect(variables.getByRole('listitem').filter({ hasText: 'limit' })).toContainText('12')
    const uses = page.getByRole('list', { name: 'Uses of the storage, newest first' })
    await expect(uses.getByText(/^transient, written at/)).toBeVisible()
    await page.getByRole('button', { name: 'To the end' }).click()
    await page.getByRole('button', { name: 'Back over', exact: true }).click()
    await expect(status).toContainText('in Kinds.call')
  })
})
