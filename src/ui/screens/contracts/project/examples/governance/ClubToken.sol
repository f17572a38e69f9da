// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";

/// A token whose holders vote. Tokens count only once they are delegated: call `delegate`, with your own address.
contract ClubToken is ERC20, ERC20Permit, ERC20Votes {
    constructor() ERC20("Club token", "CLUB") ERC20Permit("Club token") {
        _mint(msg.sender, 1_000 ether);
    }

    // Two of the contracts above have each of these; Solidity wants to know which one is meant.

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) {
        super._update(from, to, value);
    }

    function nonces(address owner) public view override(ERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }
}
