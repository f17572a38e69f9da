// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

function half(uint256 amount) pure returns (uint256) {
    return amount / 2;
}

library Amounts {
    function net(uint256 amount) internal pure returns (uint256) {
        return amount - fee(amount);
    }

    function fee(uint256 amount) internal pure returns (uint256) {
        if (amount < 1000) return 0;
        return amount / 100;
    }

    function unused(uint256 amount) internal pure returns (uint256) {
        return amount;
    }
}

contract Note {
    uint256 public immutable value;

    constructor(uint256 given) {
        value = given;
    }

    function twice() external view returns (uint256) {
        return 2 * value;
    }
}
