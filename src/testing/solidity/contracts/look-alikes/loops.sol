// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Loops {
    uint256 internal stored;
    uint256[] internal queue;
    constructor() { for (uint256 i; i < 40; i++) queue.push(i); }
    function drain() external {
        while (queue.length > 0) {
            require(queue[queue.length - 1] != 20, "twenty"); //@ drain
            queue.pop();
        }
    }
    function doing() external {
        do {
            queue.pop(); //@ doing
        } while (true);
    }
    function inner() external { _drain(); } //@ inner#1
    function _drain() internal {
        while (queue.length > 0) {
            require(queue[queue.length - 1] != 20, "twenty!"); //@ inner
            queue.pop();
        }
    }
    function withArgument(uint256 n) external {
        while (queue.length > n) {
            require(queue[queue.length - 1] != 20, "twenty?"); //@ withArgument
            queue.pop();
        }
    }
    function total() external returns (uint256) {
        _count();
        return stored;
    }
    function _count() internal { while (stored < 10) stored++; }
}
