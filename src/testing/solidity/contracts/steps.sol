// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Counter {
    uint256 public count;

    function bump(uint256 by) external returns (uint256) {
        count += by; //@ bump
        return count; //@ bumped
    }
}

contract Steps {
    Counter public counter = new Counter(); //@ create
    uint256 public total;

    modifier positive(uint256 n) {
        require(n > 0, "zero"); //@ require
        _;
    }

    function run(uint256 n) external positive(n) {
        for (uint256 i = 0; i < n; i++) { //@ loop
            add(i); //@ call
        }
        counter.bump(total); //@ outside
    }

    function add(uint256 x) internal {
        total += square(x); //@ add
    }

    function square(uint256 x) private pure returns (uint256) {
        return x * x; //@ square
    }
}
