// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {OwnableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";

/// A number that is kept in a proxy. Deploy Box, then BoxProxy with its address, and use the proxy as a Box.
contract Box is UUPSUpgradeable, OwnableUpgradeable {
    uint256 public value;

    event Stored(uint256 value);

    /// Only the proxy may be initialized.
    constructor() {
        _disableInitializers();
    }

    /// Takes the place of a constructor, whose effects would stay in this contract.
    function initialize(address owner) external initializer {
        __Ownable_init(owner);
    }

    function store(uint256 newValue) external {
        value = newValue;
        emit Stored(newValue);
    }

    function version() external pure virtual returns (uint256) {
        return 1;
    }

    /// Who may call `upgradeToAndCall`.
    function _authorizeUpgrade(address) internal override onlyOwner {}
}
