#!/usr/bin/env bash
# Deploys the jar and tips it, with the chain's clock in hand. Needs `npx blinknet`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# Development accounts, for which the node signs.
owner=0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
guest=0x70997970C51812dc3A010C7d01b50e0d17dc79C8

# expect WHAT IS WANTED
expect() {
  [ "$2" = "$3" ] || { echo "not ok $1: $2 instead of $3" >&2; exit 1; }
  echo "ok     $1: $2"
}
# tips ACCOUNT BLOCK: wei that the account gave, as of this block.
tips() { cast call "$jar" 'tipsOf(address)(uint256)' "$1" --block "$2"; }

# Two transactions at once; forge waits for their receipts, which are there within 200 ms.
deployed=$(forge script script/Deploy.s.sol --broadcast --unlocked --sender "$owner")
jar=$(awk '/^jar: contract TipJar/ { print $4 }' <<< "$deployed")

# The clock stands still from here on: nothing happens but what the script says.
cast rpc devnet_pause > /dev/null
trap 'cast rpc devnet_resume > /dev/null' EXIT
cast rpc devnet_seal > /dev/null
expect 'latest has the tip of the script' "$(tips "$owner" latest)" 1

hash=$(cast send "$jar" 'tip()' --value 2 --unlocked --from "$guest" --async)
cast rpc devnet_tick > /dev/null # the next partial block, after 200 ms on a clock that runs
expect 'the receipt is there' "$(cast receipt "$hash" status)" true
expect 'pending has the tip of the guest' "$(tips "$guest" pending)" 2
expect 'latest does not have it yet' "$(tips "$guest" latest)" 0

cast rpc devnet_seal > /dev/null # the block, after 2 s on a clock that runs
expect 'latest has it now' "$(tips "$guest" latest)" 2
