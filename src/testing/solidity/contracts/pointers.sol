// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/** Functions of contracts as values: on the stack, in memory and in storage. */
contract Pointers {
    struct Step { uint256 id; function(uint256) external then; }

    function(uint256) external internal kept;

    function take(uint256 x) external {}

    function run(function(uint256) external given) external {
        function(uint256) external own = this.take;
        Step memory step = Step(5, given);
        function(uint256) external[] memory all = new function(uint256) external[](2);
        all[1] = own;
        kept = given;
        this.take(step.id);
    }
}
