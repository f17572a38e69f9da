// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Governor} from "@openzeppelin/contracts/governance/Governor.sol";
import {GovernorCountingSimple} from "@openzeppelin/contracts/governance/extensions/GovernorCountingSimple.sol";
import {GovernorSettings} from "@openzeppelin/contracts/governance/extensions/GovernorSettings.sol";
import {GovernorVotes} from "@openzeppelin/contracts/governance/extensions/GovernorVotes.sol";
import {GovernorVotesQuorumFraction} from "@openzeppelin/contracts/governance/extensions/GovernorVotesQuorumFraction.sol";
import {IVotes} from "@openzeppelin/contracts/governance/utils/IVotes.sol";
import {Club} from "./Club.sol";

/// Deploy in this order: ClubToken; ClubGovernor, with the token's address; Club, with the governor's address.
/// Then: proposeMotto, wait a block, castVote (1 is for), wait until the vote is over, executeMotto.
contract ClubGovernor is
    Governor,
    GovernorSettings,
    GovernorCountingSimple,
    GovernorVotes,
    GovernorVotesQuorumFraction
{
    /// Voting begins a block after a proposal and takes ten blocks; 4% of all tokens have to vote.
    constructor(IVotes token)
        Governor("Club governor")
        GovernorSettings(1, 10, 0)
        GovernorVotes(token)
        GovernorVotesQuorumFraction(4)
    {}

    /// @return The proposal's number, for castVote.
    function proposeMotto(Club club, string calldata motto) external returns (uint256) {
        (address[] memory targets, uint256[] memory values, bytes[] memory calls) = _actions(club, motto);
        return propose(targets, values, calls, motto);
    }

    function executeMotto(Club club, string calldata motto) external returns (uint256) {
        (address[] memory targets, uint256[] memory values, bytes[] memory calls) = _actions(club, motto);
        return execute(targets, values, calls, keccak256(bytes(motto)));
    }

    /// The number of a proposal of a motto.
    function idOfMotto(Club club, string calldata motto) external view returns (uint256) {
        (address[] memory targets, uint256[] memory values, bytes[] memory calls) = _actions(club, motto);
        return getProposalId(targets, values, calls, keccak256(bytes(motto)));
    }

    function _actions(Club club, string calldata motto)
        private
        pure
        returns (address[] memory targets, uint256[] memory values, bytes[] memory calls)
    {
        targets = new address[](1);
        values = new uint256[](1);
        calls = new bytes[](1);
        targets[0] = address(club);
        calls[0] = abi.encodeCall(Club.setMotto, (motto));
    }

    function proposalThreshold() public view override(Governor, GovernorSettings) returns (uint256) {
        return super.proposalThreshold();
    }
}
