import { encodeFunctionData, parseAbi } from 'viem'

/** Logs with `console.log`, and refuses after it has. */
export const TALKER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "hardhat/console.sol";

contract Talker {
    uint256 public said; mapping(address => uint256) public given;

    function say(uint256 n) external {
        console.log("saying %s of %s", n, said);
        for (uint256 i = 0; i < n; i++) said += twice(i);
        console.log("said", said); given[msg.sender] += n;
    }

    function twice(uint256 n) internal pure returns (uint256) {
        return 2 * n;
    }

    function refuse(uint256 n) external {
        console.log("about to refuse", n);
        said += n;
        revert("no");
    }
}
`

const abi = parseAbi(['function say(uint256 n)', 'function refuse(uint256 n)'])

/** Data of a call that writes two lines. */
export const sayData = (n: bigint) => encodeFunctionData({ abi, functionName: 'say', args: [n] })

/** Data of a call that writes a line and then reverts. */
export const refuseData = (n: bigint) => encodeFunctionData({ abi, functionName: 'refuse', args: [n] })
