// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TipJar} from "../src/TipJar.sol";

/// The cheat codes that the script uses; forge-std has all of them.
interface Vm {
    function startBroadcast() external;
    function stopBroadcast() external;
}

contract Deploy {
    Vm private constant VM = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// Two transactions of one account within a block: the jar, and its first tip.
    function run() external returns (TipJar jar) {
        VM.startBroadcast();
        jar = new TipJar();
        jar.tip{value: 1}();
        VM.stopBroadcast();
    }
}
