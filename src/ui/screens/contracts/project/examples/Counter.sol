// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A number that anyone can raise, and nobody can lower.
contract Counter {
    /// `public` makes a function that reads it.
    uint256 public count;

    /// What happened, for those who watch the chain.
    event Raised(address indexed by, uint256 count);

    function increment() external {
        raise(1);
    }

    function add(uint256 amount) external {
        raise(amount);
    }

    function raise(uint256 amount) private {
        count += amount;
        emit Raised(msg.sender, count);
    }
}
