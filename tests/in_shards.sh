#!/bin/sh
# Runs a GoogleTest program as several at a time, for tests that wait more than they work.
#
#   in_shards.sh N PROGRAM
count=$1 program=$2
running=''
n=0
while [ "$n" -lt "$count" ]; do
  GTEST_TOTAL_SHARDS=$count GTEST_SHARD_INDEX=$n "$program" &
  running="$running $!"
  n=$((n + 1))
done
status=0
for shard in $running; do
  wait "$shard" || status=1
done
exit "$status"
