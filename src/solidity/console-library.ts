import { CONSOLE_ADDRESS } from '#rpc-types/console.ts'
import { COMBINED_TYPES, combinationsOf, MOST_ARGUMENTS, SINGLE_TYPES } from './console.ts'
import { checksumAddress } from './keccak.ts'

/**
 * The source of a console library, by the path in the import; `undefined` for any other path. `forge-std/src/` works as
 * well as `forge-std/`.
 */
export function consoleLibrary(path: string): string | undefined {
  switch (path.replace(/^forge-std\/src\//, 'forge-std/')) {
    case 'hardhat/console.sol':
      return consoleSource([])
    case 'forge-std/console.sol':
      return consoleSource([['int256'], ['string', 'int256']])
    case 'forge-std/console2.sol':
      return `${HEAD}\nimport {console as console2} from "./console.sol";\n`
    default:
      return undefined
  }
}

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity >=0.4.22 <0.9.0;\n'

/** Types that need a data location. */
const IN_MEMORY: ReadonlySet<string> = new Set(['string', 'bytes'])

/**
 * The library `console` with Hardhat's functions. They are `pure`, so that pure functions may log: assembly casts the
 * function that makes the call, as in Hardhat and forge-std.
 *
 * @param further - Argument types of further functions `log`.
 */
function consoleSource(further: readonly (readonly string[])[]): string {
  const functions = [
    logFunction('log', []),
    ...['int256', 'uint256', 'string', 'bool', 'address', ...SINGLE_TYPES.slice(1)].map((type) =>
      logFunction(`log${nameOf(type)}`, [type]),
    ),
    ...Array.from({ length: MOST_ARGUMENTS }, (_, index) => combinationsOf(COMBINED_TYPES, index + 1))
      .flat()
      .map((types) => logFunction('log', types)),
    ...further.map((types) => logFunction('log', types)),
  ]
  return `${HEAD}
library console {
    address constant CONSOLE_ADDRESS = ${checksumAddress(CONSOLE_ADDRESS)};

    function _sendLogPayloadImplementation(bytes memory payload) internal view {
        address consoleAddress = CONSOLE_ADDRESS;
        /// @solidity memory-safe-assembly
        assembly {
            pop(staticcall(gas(), consoleAddress, add(payload, 32), mload(payload), 0, 0))
        }
    }

    function _castToPure(function(bytes memory) internal view fnIn)
        internal
        pure
        returns (function(bytes memory) pure fnOut)
    {
        assembly {
            fnOut := fnIn
        }
    }

    function _sendLogPayload(bytes memory payload) internal pure {
        _castToPure(_sendLogPayloadImplementation)(payload);
    }

${functions.join('\n')}}
`
}

/** `logUint`, `logBytes32`. */
function nameOf(type: string): string {
  const name = type.replace(/int256$/, 'int')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function logFunction(name: string, types: readonly string[]): string {
  const parameters = types.map((type, i) => `${type}${IN_MEMORY.has(type) ? ' memory' : ''} p${i}`)
  const payload = [`"log(${types.join(',')})"`, ...types.map((_, i) => `p${i}`)]
  return `    function ${name}(${parameters.join(', ')}) internal pure {
        _sendLogPayload(abi.encodeWithSignature(${payload.join(', ')}));
    }
`
}
