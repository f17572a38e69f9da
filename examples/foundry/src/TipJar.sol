// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A jar for tips: anyone may add to it, only its owner empties it.
contract TipJar {
    event Tipped(address indexed from, uint256 value);

    address payable public immutable owner = payable(msg.sender);
    mapping(address => uint256) public tipsOf;

    function tip() external payable {
        tipsOf[msg.sender] += msg.value;
        emit Tipped(msg.sender, msg.value);
    }

    function empty() external {
        require(msg.sender == owner, "only the owner");
        (bool sent, ) = owner.call{value: address(this).balance}("");
        require(sent, "the owner refused it");
    }
}
