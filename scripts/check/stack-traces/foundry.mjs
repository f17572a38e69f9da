// Runs scenarios as tests of forge, and reads the lines of its backtraces.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** @typedef {import('./scenarios.d.ts').ScenarioVariant} ScenarioVariant */

const FORGE = path.resolve('node_modules/.bin/forge')
const SOLC = path.resolve('test/clients/support/solc.mjs')

const CONTRACT = `
interface Vm {
  function startPrank(address) external;
  function stopPrank() external;
  function deal(address, uint256) external;
  function readFileBinary(string calldata) external view returns (bytes memory);
}
abstract contract Scenario {
  Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
  function send(uint160 from, uint160 to, string memory file, uint256 value, uint256 gas_) internal {
    bytes memory data = vm.readFileBinary(file);
    vm.deal(address(from), 5 ether);
    vm.startPrank(address(from));
    bool ok;
    if (to != 0) (ok, ) = address(to).call{value: value, gas: gas_}(data);
    else assembly { ok := iszero(iszero(create(value, add(data, 32), mload(data)))) }
    vm.stopPrank();
    if (!ok) revert("as expected");
  }
}`

/**
 * The lines that forge tells of each scenario, innermost first; `null` where it names a frame without a line. A scenario that
 * did not fail in forge is missing.
 *
 * @param {ScenarioVariant} variant
 * @param {string} folder - An empty one.
 */
export function askFoundry({ input, creations, calls, maths }, folder) {
  const { viaIR = false, optimizer } = input.settings
  let files = 0
  /** @param {string} hex */
  const fileOf = (hex) => {
    const file = `data/${files++}.bin`
    writeFileSync(path.join(folder, file), Buffer.from(hex.slice(2), 'hex'))
    return file
  }
  mkdirSync(path.join(folder, 'data'))
  for (const [file, { content }] of Object.entries(input.sources)) writeFileSync(path.join(folder, file), content)
  writeFileSync(
    path.join(folder, 'foundry.toml'),
    [
      '[profile.default]',
      'src = "."',
      'test = "."',
      'evm_version = "osaka"',
      'offline = true',
      'fs_permissions = [{ access = "read", path = "./" }]',
      `solc = ${JSON.stringify(SOLC)}`,
      `libraries = ["failures.sol:Maths:${maths}"]`,
      `via_ir = ${viaIR}`,
      `optimizer = ${optimizer?.enabled ?? false}`,
    ].join('\n'),
  )
  /** @param {{ from: string, to?: string, data: string, value?: string, gas: string }} call */
  const send = ({ from, to = '0x0', data, value = '0x0', gas }) =>
    `send(${BigInt(from)}, ${BigInt(to)}, "${fileOf(data)}", ${BigInt(value)}, ${BigInt(gas)});`
  writeFileSync(
    path.join(folder, 'Scenarios.t.sol'),
    `pragma solidity ^0.8.20;
import "./failures.sol";
${CONTRACT}
contract Scenarios is Scenario {
  function setUp() public {
    ${creations.map(send).join('\n    ')}
  }
${calls.map((call) => `  function test_${call.name}() public { ${send(call)} }`).join('\n')}
}
`,
  )
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', NO_COLOR: '1' }
  const run = spawnSync(FORGE, ['test', '-vvvvv'], { cwd: folder, env, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (run.error) throw run.error
  /** @type {Record<string, readonly (number | null)[]>} */
  const told = {}
  for (const part of run.stdout.split(/^(?=\[(?:FAIL|PASS))/m)) {
    const name = /^\[FAIL.*\] test_(\w+)\(\)/.exec(part)?.[1]
    const backtrace = /Backtrace:\n((?: +at .*\n)*)/.exec(part)?.[1]
    if (name === undefined || backtrace === undefined) continue
    // The test itself and what it calls are no part of the scenario.
    const frames = backtrace
      .trim()
      .split('\n')
      .filter((frame) => !/\bScenarios?\./.test(frame))
    told[name] ??= frames.map((frame) => Number(/failures\.sol:(\d+):\d+\)$/.exec(frame)?.[1] ?? 0) || null)
  }
  if (Object.keys(told).length === 0) throw new Error(`forge ran no scenario\n${run.stdout}${run.stderr}`)
  return told
}
