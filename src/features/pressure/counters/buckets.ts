import { type MessagePurpose, messagePurposes, type PressureChannel, pressureChannels } from '../pressure-schemas.ts'

/** Every zone's days are made of whole ones. */
export const PRESSURE_BUCKET_MS = 15 * 60_000

/** Older buckets fall off: those before 92 days, which are some hours longer where clocks went back meanwhile. */
export const PRESSURE_RETENTION_MS = (92 * 24 + 3) * 3_600_000

// The bits of a bucket from the right, as `pressure_counters` stores them. Beyond 32 bits operators of JavaScript cannot go.
const COUNT_RANGE = 2 ** 14
const TOPIC_RANGE = 2 ** 13
const PURPOSE_RANGE = 2
const CHANNEL_RANGE = 4
const SCOPE_RANGE = TOPIC_RANGE * PURPOSE_RANGE * CHANNEL_RANGE
/** A bucket counts no further, which is beyond every limit. */
const MAX_COUNT = COUNT_RANGE - 1

/** The scope that a message is counted under. `topic`: its number; 0: none. */
export interface PressureScope {
  channel: PressureChannel
  purpose: MessagePurpose
  topic: number
}

/** A scope and a quarter of an hour, which begins at `at` (milliseconds), with how many were counted. */
export interface PressureBucket extends PressureScope {
  at: number
  count: number
}

/** The number of a bucket without its count: where a message at `at` (milliseconds) is counted. */
export function pressureBucketKey({ channel, purpose, topic }: PressureScope, at: number): number {
  const scope =
    (pressureChannels.indexOf(channel) * PURPOSE_RANGE + messagePurposes.indexOf(purpose)) * TOPIC_RANGE + topic
  return Math.floor(at / PRESSURE_BUCKET_MS) * SCOPE_RANGE + scope
}

/** The first number of the buckets that are kept at `now` (milliseconds). */
export function oldestPressureBucketKey(now: number): number {
  return Math.floor((now - PRESSURE_RETENTION_MS) / PRESSURE_BUCKET_MS) * SCOPE_RANGE
}

function unpackBucket(packed: number): PressureBucket {
  const count = packed % COUNT_RANGE
  const key = Math.floor(packed / COUNT_RANGE)
  const scope = key % SCOPE_RANGE
  const channelAndPurpose = Math.floor(scope / TOPIC_RANGE)
  return {
    at: Math.floor(key / SCOPE_RANGE) * PRESSURE_BUCKET_MS,
    channel: pressureChannels[channelAndPurpose >> 1]!,
    purpose: messagePurposes[channelAndPurpose & 1]!,
    topic: scope % TOPIC_RANGE,
    count,
  }
}

/** The buckets of a row of counters, oldest first. */
export function unpackPressureBuckets(packed: readonly number[]): PressureBucket[] {
  return packed.map(unpackBucket)
}

/** Buckets as a row of counters holds them, oldest first; without those before `oldest`. */
export function packPressureBuckets(buckets: readonly PressureBucket[], oldest: number): number[] {
  return buckets
    .map((bucket) => ({ key: pressureBucketKey(bucket, bucket.at), count: Math.min(bucket.count, MAX_COUNT) }))
    .filter(({ key, count }) => key >= oldest && count > 0)
    .sort((a, b) => a.key - b.key)
    .map(({ key, count }) => key * COUNT_RANGE + count)
}

/** Counts one message in `buckets`. */
export function countInPressureBuckets(buckets: PressureBucket[], scope: PressureScope, at: number): void {
  const quarterStart = Math.floor(at / PRESSURE_BUCKET_MS) * PRESSURE_BUCKET_MS
  const currentBucket = buckets.findLast(
    (bucket) =>
      bucket.at === quarterStart &&
      bucket.channel === scope.channel &&
      bucket.purpose === scope.purpose &&
      bucket.topic === scope.topic,
  )
  if (currentBucket) currentBucket.count++
  else buckets.push({ ...scope, at: quarterStart, count: 1 })
}
