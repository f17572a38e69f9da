// The projects that `try-projects.mjs` tries, and where their sources come from.

/** Accounts of the page. */
export const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/**
 * @typedef {object} Attempt
 * @property {string} name Of its repository.
 * @property {string} [npm] The package with its sources; without one it is only tried from a folder (`--from`).
 * @property {string} [within] A folder in the package: a template.
 * @property {Readonly<Record<string, string>>} [add] Files that a user of a library writes, by path.
 * @property {string} [contract] To deploy, as the page's list names it.
 * @property {readonly string[]} [args] Of its constructor.
 * @property {readonly [name: string, args: readonly string[]][]} [before] Calls that succeed.
 * @property {readonly [name: string, args: readonly string[]]} [fails] A call that fails.
 * @property {RegExp} [reason] What the page says of it.
 * @property {RegExp} [line] Where: a file with a line.
 * @property {string} [runs] Of the optimizer, if the compiler cannot with the project's own.
 * @property {true} [isDiamond] Whether a diamond is deployed and cut before the call.
 * @property {{ solc: string, file: string, settings: object }} [old] To compile by an old compiler of npm instead: the page
 *   gets what it wrote.
 */

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'

/** @type {readonly Attempt[]} */
export const PROJECTS = [
  {
    name: 'solmate',
    npm: 'solmate@6.8.0',
    contract: 'WETH',
    fails: ['withdraw', ['1']],
    reason: /panic 0x11/,
    line: /ERC20\.sol/,
  },
  {
    name: 'solady',
    npm: 'solady@0.1.26',
    contract: 'WETH',
    fails: ['withdraw', ['1']],
    reason: /InsufficientBalance/,
    line: /WETH\.sol|ERC20\.sol/,
  },
  {
    name: 'prb-math',
    npm: '@prb/math@4.2.0',
    add: {
      'src/Use.sol': `${HEAD}import {UD60x18, ud} from "./UD60x18.sol";\ncontract Use { function divide(uint256 x, uint256 y) external pure returns (UD60x18) { return ud(x).div(ud(y)); } }\n`,
    },
    contract: 'Use',
    fails: ['divide', ['1', '0']],
    reason: /panic 0x12/,
    line: /Common\.sol/,
  },
  {
    name: 'ERC721A',
    npm: 'erc721a@4.3.0',
    add: {
      'contracts/Use.sol': `${HEAD}import {ERC721A} from "./ERC721A.sol";\ncontract Use is ERC721A("Use", "USE") { function mint(uint256 n) external { _mint(msg.sender, n); } }\n`,
    },
    contract: 'Use',
    fails: ['mint', ['0']],
    reason: /MintZeroQuantity/,
    line: /ERC721A\.sol/,
  },
  {
    name: 'safe-smart-account',
    npm: '@safe-global/safe-smart-account@1.5.0',
    contract: 'SafeProxyFactory',
    fails: ['createProxyWithNonce', [BOB, '0x', '0']],
    reason: /Singleton contract not deployed/,
    line: /SafeProxyFactory\.sol/,
  },
  {
    name: 'v2-core',
    npm: '@uniswap/v2-core@1.0.1',
    contract: 'UniswapV2Factory',
    args: [ALICE],
    fails: ['createPair', [BOB, BOB]],
    reason: /IDENTICAL_ADDRESSES/,
    line: /UniswapV2Factory\.sol/,
    old: {
      solc: '0.5.16',
      file: 'contracts/UniswapV2Factory.sol',
      settings: { evmVersion: 'istanbul', optimizer: { enabled: true, runs: 999_999 } },
    },
  },
  {
    // The package has interfaces and libraries only.
    name: 'v3-core',
    contract: 'UniswapV3Factory',
    fails: ['createPool', [BOB, BOB, '500']],
    reason: /[Rr]everted/,
    line: /UniswapV3Factory\.sol/,
    old: {
      solc: '0.7.6',
      file: 'contracts/UniswapV3Factory.sol',
      settings: { optimizer: { enabled: true, runs: 800 }, metadata: { bytecodeHash: 'none' } },
    },
  },
  {
    name: 'v4-core',
    npm: '@uniswap/v4-core@1.0.2',
    contract: 'PoolManager',
    // With its own 44,444,444, solc 0.8.37 finds the stack too deep.
    runs: '200',
    args: [BOB],
    fails: ['setProtocolFeeController', [ALICE]],
    reason: /UNAUTHORIZED/,
    line: /Owned\.sol/,
  },
  {
    name: 'openzeppelin-contracts',
    npm: '@openzeppelin/contracts@5.7.0',
    contract: 'AccessManager',
    args: [BOB],
    fails: ['setTargetClosed', [ALICE, 'true']],
    reason: /AccessManagerUnauthorizedAccount/,
    line: /AccessManager\.sol/,
  },
  {
    name: 'se2hardhat',
    contract: 'YourContract',
    args: [BOB],
    fails: ['withdraw', []],
    reason: /Not the Owner/,
    line: /YourContract\.sol/,
  },
  {
    name: 'se2-foundry',
    contract: 'YourContract',
    args: [BOB],
    fails: ['withdraw', []],
    reason: /Not the Owner/,
    line: /YourContract\.sol/,
  },
  {
    name: 'forge-init',
    contract: 'Counter',
    before: [['setNumber', [String(2n ** 256n - 1n)]]],
    fails: ['increment', []],
    reason: /panic 0x11/,
    line: /Counter\.sol/,
  },
  {
    name: 'hardhat3',
    npm: 'hardhat@3.18.0',
    within: 'templates/02-mocha-ethers',
    contract: 'Counter',
    fails: ['incBy', ['0']],
    reason: /increment should be positive/,
    line: /Counter\.sol/,
  },
  {
    name: 'diamond-3-hardhat',
    contract: 'DiamondCutFacet',
    isDiamond: true,
    fails: ['transferOwnership', [BOB]],
    reason: /NotContractOwner|Must be contract owner/,
    line: /LibDiamond\.sol/,
  },
]
