// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// A club with a motto. Its owner is the governor, so only a vote can change the motto.
contract Club is Ownable {
    string public motto = "We have no motto yet.";

    event MottoChanged(string motto);

    constructor(address governor) Ownable(governor) {}

    function setMotto(string calldata newMotto) external onlyOwner {
        motto = newMotto;
        emit MottoChanged(newMotto);
    }
}
