// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Purse {
    address internal owner;
    string internal note;
    mapping(address => uint256) internal held;

    function keep(uint256 amount) external {
        owner = msg.sender;
        note = "kept";
        held[msg.sender] += amount;
    }
}

/// As EIP-1967 has it.
contract Proxy {
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    constructor(address implementation) {
        assembly {
            sstore(SLOT, implementation)
        }
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
