// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What the load's transactions call: one method that does something, one that refuses.
contract LoadTarget {
    event Counted(address indexed by, uint256 count);

    error Refused(address by);

    uint256 public count;

    function increment() external {
        count += 1;
        emit Counted(msg.sender, count);
    }

    function refuse() external view {
        revert Refused(msg.sender);
    }
}
