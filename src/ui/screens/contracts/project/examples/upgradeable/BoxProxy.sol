// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Box} from "./Box.sol";

/// Has the state and the address that stay; the code is that of the Box it points to.
contract BoxProxy is ERC1967Proxy {
    constructor(address box, address owner) ERC1967Proxy(box, abi.encodeCall(Box.initialize, (owner))) {}
}
