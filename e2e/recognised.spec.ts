import type { Address, Hex } from '../src/primitives/hex.ts'
import { deploySource, tickWithOne } from './contracts.ts'
import { expect, type Playground, test, visit } from './playground.ts'

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'

const FACTORY = `${HEAD}contract Child {
    uint256 public value;
    error TooSmall(uint256 by);
    event Poked(uint256 by);
    constructor(uint256 x) { value = x; }
    function poke(uint256 by) external { if (by < 2) revert TooSmall(by); value += by; emit Poked(by); }
}
contract Factory {
    Child[] public made;
    event Made(Child child);
    function make(uint256 x) external { Child c = new Child(x); made.push(c); emit Made(c); c.poke(3); }
}
`

/** Receipt of the newest transaction of the pending block. */
async function newestReceipt(playground: Playground) {
  const block = (await playground.request('eth_getBlockByNumber', ['pending', false])) as { transactions: Hex[] }
  return (await playground.request('eth_getTransactionReceipt', [block.transactions.at(-1)])) as {
    readonly contractAddress: Address | null
    readonly logs: readonly { readonly address: Address }[]
  }
}

/** Deploys a contract; resolves with its address. */
async function deployAt(playground: Playground, source: string, contract: string): Promise<Address> {
  await deploySource(playground, source, contract)
  const { contractAddress } = await newestReceipt(playground)
  if (contractAddress === null) throw new Error('the newest transaction created no contract')
  return contractAddress
}

test('a contract that a factory makes has its name, its functions and its events at once', async ({
  playground,
  page,
}) => {
  test.slow()
  await playground.open()
  await deploySource(playground, FACTORY, 'Factory')
  const make = page.getByRole('article', { name: 'make' })
  await make.getByRole('textbox').fill('7')
  await make.getByRole('button', { name: 'Send make' }).click()
  await tickWithOne(playground)
  const child = (await newestReceipt(playground)).logs.find(({ address }, _i, all) => address !== all[0]?.address)
  const address = child?.address
  expect(address).toBeDefined()
  await visit(playground, `/address/${address}/contract`)
  await expect(page.getByRole('heading', { level: 1, name: 'Child' })).toBeVisible()
  await expect(page.getByRole('article', { name: 'poke' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Events' })).toContainText('Poked')
  await expect(page.getByText(/guess/)).toBeHidden()

  // The child's error has a name, too.
  const poke = page.getByRole('article', { name: 'poke' })
  await poke.getByRole('textbox').fill('1')
  await poke.getByRole('button', { name: 'Send poke' }).click()
  await expect(poke).toContainText('TooSmall')
})

const FIRST = `${HEAD}contract First { uint256 public value; function set(uint256 v) external { value = v; } }`
/** Answers with 42 whatever it is asked. */
const OTHER = '0x602a60005260206000f3'

test('other code at a contract’s address is another contract, as long as it stands there', async ({
  playground,
  page,
}) => {
  test.slow()
  await playground.open()
  const address = await deployAt(playground, FIRST, 'First')
  await expect(page.getByRole('article', { name: 'set' })).toBeVisible()
  const code = await playground.request('eth_getCode', [address, 'pending'])

  await playground.request('anvil_setCode', [address, OTHER])
  await expect(page.getByText('Another contract stands at this address than First.')).toBeVisible()
  await expect(page.getByRole('article', { name: 'set' })).toBeHidden()
  await visit(playground, `/address/${address}/source`)
  await expect(page.getByRole('heading', { level: 1, name: /^Contract/ })).toBeVisible()
  await expect(page.getByText(/The page has no source of this code/)).toBeVisible()

  await playground.request('anvil_setCode', [address, code])
  await expect(page.getByRole('heading', { level: 1, name: 'First' })).toBeVisible()
})

/** A diamond (EIP-2535) as small as it can be: its functions are those of two facets, and one of these tells them. */
const DIAMOND = `${HEAD}struct Facet { address facetAddress; bytes4[] functionSelectors; }
library Store {
    struct Layout { Facet[] facets; uint256 value; }
    function layout() internal pure returns (Layout storage l) { assembly { l.slot := 0x64 } }
}
contract Loupe { function facets() external view returns (Facet[] memory) { return Store.layout().facets; } }
contract Numbers {
    event Kept(uint256 value);
    error Zero();
    function keep(uint256 x) external { if (x == 0) revert Zero(); Store.layout().value = x; emit Kept(x); }
    function kept() external view returns (uint256) { return Store.layout().value; }
    function notCut() external pure returns (uint256) { return 1; }
}
contract Diamond {
    constructor() {
        Store.Layout storage l = Store.layout();
        bytes4[] memory loupe = new bytes4[](1);
        loupe[0] = Loupe.facets.selector;
        l.facets.push(Facet(address(new Loupe()), loupe));
        bytes4[] memory numbers = new bytes4[](2);
        (numbers[0], numbers[1]) = (Numbers.keep.selector, Numbers.kept.selector);
        l.facets.push(Facet(address(new Numbers()), numbers));
    }
    fallback() external payable {
        Store.Layout storage l = Store.layout();
        for (uint256 i; i < l.facets.length; i++) {
            for (uint256 j; j < l.facets[i].functionSelectors.length; j++) {
                if (l.facets[i].functionSelectors[j] != msg.sig) continue;
                (bool ok, bytes memory answer) = l.facets[i].facetAddress.delegatecall(msg.data);
                assembly { switch ok case 0 { revert(add(answer, 32), mload(answer)) } default { return(add(answer, 32), mload(answer)) } }
            }
        }
        revert("no such function");
    }
}
`

test('a diamond has the functions of its facets, and its calls are decoded with them', async ({ playground, page }) => {
  test.slow()
  await playground.open()
  const address = await deployAt(playground, DIAMOND, 'Diamond')
  await visit(playground, `/address/${address}/contract`)
  await expect(page.getByText('This is a diamond (EIP-2535) with 2 facets, whose code it runs:')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Numbers' }).first()).toBeVisible()
  await expect(page.getByRole('article', { name: 'kept' })).toBeVisible()
  // The facet has this function, but the diamond does not run it.
  await expect(page.getByRole('article', { name: 'notCut' })).toBeHidden()

  const keep = page.getByRole('article', { name: 'keep' })
  await keep.getByRole('textbox').fill('9')
  await keep.getByRole('button', { name: 'Send keep' }).click()
  await tickWithOne(playground)
  await keep.getByRole('link', { name: /^0x/ }).first().click()
  await expect(page.getByText('keep', { exact: true }).first()).toBeVisible()
  await expect(page.getByText(/not decoded/)).toBeHidden()
  await page.getByRole('tab', { name: 'Logs' }).click()
  await expect(page.getByText('Kept', { exact: true }).first()).toBeVisible()
})

test('an ABI that is added at a known address is added to what is known, and replaces it only on request', async ({
  playground,
  page,
}) => {
  test.slow()
  await playground.open()
  const address = await deployAt(playground, FIRST, 'First')
  const add = async (name: string, replace: boolean) => {
    await page.getByRole('button', { name: 'At address…' }).click()
    const form = page.getByRole('form', { name: 'Contract at an address' })
    await form.getByLabel('Address of the contract').fill(address)
    await expect(form.getByText(/The page knows this contract as First/)).toBeVisible()
    await form
      .getByLabel('ABI as JSON')
      .fill(JSON.stringify([{ type: 'function', name, inputs: [], outputs: [], stateMutability: 'nonpayable' }]))
    if (replace) await form.getByRole('checkbox', { name: /Replace what the page knows/ }).check()
    await form.getByRole('button', { name: 'Add', exact: true }).click()
  }
  await add('extra', false)
  await expect(page.getByRole('article', { name: 'extra' })).toBeVisible()
  await expect(page.getByRole('article', { name: 'set' })).toBeVisible()
  await expect(page.getByLabel('Deployed contracts')).toContainText('First')
  await add('only', true)
  await expect(page.getByRole('article', { name: 'only' })).toBeVisible()
  await expect(page.getByRole('article', { name: 'set' })).toBeHidden()
})

test('a contract of another author with the same code can get its own sources', async ({ playground, page }) => {
  test.slow()
  await playground.open()
  const address = await deployAt(playground, FIRST, 'First')
  const code = (await playground.request('eth_getCode', [address, 'pending'])) as Hex
  // The hash of the metadata differs.
  const at = code.lastIndexOf('64736f6c6343') - 20
  const twin = `${code.slice(0, at)}${code[at] === '0' ? '1' : '0'}${code.slice(at + 1)}`
  const other = `0x${'7d'.repeat(20)}`
  await playground.request('anvil_setCode', [other, twin])
  await visit(playground, `/address/${other}/source`)
  await expect(page.getByText(/found by its bytecode; its metadata differs/)).toBeVisible()
  await page.getByRole('button', { name: 'Verify with its sources…' }).click()
  await expect(page.getByRole('dialog', { name: 'Verify with its sources' })).toBeVisible()
})
