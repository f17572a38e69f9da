import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const FOLDER = path.resolve(import.meta.dirname, '../../src/testing/node/evm')

/** @typedef {{ evm: { bytecode: { object: string }, methodIdentifiers: Record<string, string> } }} Compiled */

/** @returns {Record<string, Compiled>} */
function compile() {
  /** @type {{ compile(input: string): string }} */
  const solc = createRequire(import.meta.url)('solc')
  const input = {
    language: 'Solidity',
    sources: { 'workloads.sol': { content: readFileSync(path.join(FOLDER, 'workloads.sol'), 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.methodIdentifiers'] } },
    },
  }
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input)))
  if (!contracts?.['workloads.sol']) throw new Error('the workloads do not compile')
  return contracts['workloads.sol']
}

const contracts = compile()

/** @param {string} name */
function contract(name) {
  const found = contracts[name]
  if (!found) throw new Error(`no contract ${name}`)
  return found.evm
}

/** @param {bigint | number} value */
const word = (value) => value.toString(16).padStart(64, '0')

/** @param {string} contractName @param {string} signature @param {readonly (bigint | number)[]} args */
function calldata(contractName, signature, args) {
  const selector = contract(contractName).methodIdentifiers[signature]
  if (selector === undefined) throw new Error(`${contractName} has no ${signature}`)
  return /** @type {const} */ (`0x${selector}${args.map(word).join('')}`)
}

/** @param {string} name */
export const initcode = (name) => /** @type {const} */ (`0x${contract(name).bytecode.object}`)

/** @param {string} to @param {bigint} value */
export const mintData = (to, value) => calldata('Token', 'mint(address,uint256)', [BigInt(to), value])

/** @param {string} to @param {bigint} value */
export const transferData = (to, value) => calldata('Token', 'transfer(address,uint256)', [BigInt(to), value])

/** Each workload's name and its call data. */
export const workloads = Object.entries(
  /** @type {Record<string, number>} */ (JSON.parse(readFileSync(path.join(FOLDER, 'workloads.json'), 'utf8'))),
).map(([name, size]) => ({ name, data: calldata('Workloads', `${name}(uint256)`, [size]) }))
