// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ledger} from "../src/Ledger.sol";

/// The calls of the test in TypeScript, for `forge coverage`.
contract LedgerTest {
    function test_calls() external payable {
        Ledger ledger = new Ledger(5);
        ledger.pay{value: 20}();
        (bool ok, ) = address(ledger).call{value: 5000}("");
        require(ok);
        (ok, ) = address(ledger).call(abi.encodeCall(Ledger.pay, ()));
        require(!ok);
        ledger.sum(2);
        ledger.sum(20);
        ledger.grade(5000);
        ledger.grade(5);
        ledger.close(address(this));
        ledger.tryGrade(ledger, 200);
        ledger.mix(7, 3);
        ledger.spawn();
        ledger.entries(address(this));
        ledger.owner();
    }

    receive() external payable {}
}
