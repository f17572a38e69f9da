// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A token after ERC-20: a table of who owns how much, and of who may spend for whom.
contract Token {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    uint256 public totalSupply;

    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error NotEnough(address owner, uint256 needed, uint256 owned);
    error NotAllowed(address spender, uint256 needed, uint256 allowed);

    /// All of the supply begins with the account that deploys. Amounts have 18 decimals.
    constructor(string memory name_, string memory symbol_, uint256 supply) {
        name = name_;
        symbol = symbol_;
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert NotAllowed(msg.sender, value, allowed);
        // The largest number means: without end.
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        uint256 owned = balanceOf[from];
        if (owned < value) revert NotEnough(from, value, owned);
        balanceOf[from] = owned - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
