// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Three ways in which a contract reverts. All changes of the transaction are undone; its fee is still paid.
contract Reverts {
    address public immutable owner = msg.sender;
    uint256 public budget = 100;

    event Spent(uint256 amount, uint256 left);

    /// An error with a name and values, made for programs.
    error OverBudget(uint256 asked, uint256 available);

    function spend(uint256 amount) external {
        if (amount > budget) revert OverBudget(amount, budget);
        budget -= amount;
        emit Spent(amount, budget);
    }

    /// Reverts with a reason in words.
    function refill() external {
        require(msg.sender == owner, "only the owner may refill");
        budget = 100;
    }

    /// Reverts with an error of the compiler: dividing by 0 is a panic.
    function share(uint256 people) external view returns (uint256) {
        return budget / people;
    }
}
