// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The highest bid wins. Every bid must beat the one before it by a twentieth.
contract Auction {
    address public immutable seller;
    /// Seconds since 1970, as blocks have them.
    uint256 public immutable endsAt;

    address public highestBidder;
    /// Wei.
    uint256 public highestBid;
    /// What outbid accounts can take back.
    mapping(address bidder => uint256) public refunds;
    bool public settled;

    event Bid(address indexed bidder, uint256 amount);
    event Settled(address indexed winner, uint256 amount);

    error TooLow(uint256 offered, uint256 needed);
    error AlreadyOver(uint256 endedAt);
    error NotOverYet(uint256 endsAt);
    error AlreadySettled();
    error NothingToRefund();
    error PaymentFailed();

    constructor(uint256 durationSeconds) {
        seller = msg.sender;
        endsAt = block.timestamp + durationSeconds;
    }

    /// The least that the next bid has to offer, in wei.
    function nextBid() public view returns (uint256) {
        return highestBid == 0 ? 1 : highestBid + (highestBid + 19) / 20;
    }

    /// The amount that is sent along is the bid.
    function bid() external payable {
        if (block.timestamp >= endsAt) revert AlreadyOver(endsAt);
        uint256 needed = nextBid();
        if (msg.value < needed) revert TooLow(msg.value, needed);
        refunds[highestBidder] += highestBid;
        highestBidder = msg.sender;
        highestBid = msg.value;
        emit Bid(msg.sender, msg.value);
    }

    /// Outbid accounts fetch their money: sending it to them would let one of them block the auction.
    function takeRefund() external {
        uint256 amount = refunds[msg.sender];
        if (amount == 0) revert NothingToRefund();
        refunds[msg.sender] = 0;
        pay(msg.sender, amount);
    }

    function settle() external {
        if (block.timestamp < endsAt) revert NotOverYet(endsAt);
        if (settled) revert AlreadySettled();
        settled = true;
        emit Settled(highestBidder, highestBid);
        pay(seller, highestBid);
    }

    function pay(address to, uint256 amount) private {
        (bool success,) = to.call{value: amount}("");
        if (!success) revert PaymentFailed();
    }
}
