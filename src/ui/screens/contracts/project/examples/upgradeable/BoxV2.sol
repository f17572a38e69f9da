// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Box} from "./Box.sol";

/// The next version. Deploy it, then call `upgradeToAndCall` of the proxy with its address and 0x.
contract BoxV2 is Box {
    function increment() external {
        value += 1;
        emit Stored(value);
    }

    function version() external pure override returns (uint256) {
        return 2;
    }
}
