// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Store {
    mapping(uint256 => uint256) public values;

    function put(uint256 key, uint256 value) external {
        values[key] = value; //@ put
    }
}

contract Spender {
    Store internal store;
    uint256 internal sum;
    mapping(uint256 => uint256) internal old;

    constructor() {
        store = new Store(); //@ makes
        for (uint256 i = 0; i < 20; i++) old[i] = 1;
    }

    function work(uint256 n) external {
        for (uint256 i = 0; i < n; i++) { //@ loop
            add(i);
        }
        store.put(1, n); //@ calls
        clear();
    }

    function add(uint256 i) internal {
        sum += i * 3; //@ adds
    }

    function clear() internal {
        for (uint256 i = 0; i < 20; i++) {
            old[i] = 0; //@ clears
        }
    }

    function fails(uint256 n) external {
        this.work(n);
        require(n == 0, "no"); //@ fails
    }

    function burn() external {
        while (true) sum++; //@ burns
    }

    function deep(uint256 n) public returns (uint256) {
        return n == 0 ? 0 : deep(n - 1) + 1; //@ deep
    }
}
