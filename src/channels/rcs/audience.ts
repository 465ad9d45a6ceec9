import { setTimeout as delay } from 'node:timers/promises'
import { readPhoneCapabilities, writePhoneCapabilities } from '../../features/rcs-profiles/capabilities.ts'
import { findRcsProfiles, type StoredRcsProfile } from '../../features/rcs-profiles/profiles.ts'
import type { BatchCapability, PhoneBatch, RcsGateway } from '../../gateways/rcs.ts'
import { planRcsLookup } from '../../gateways/rcs-google/regions.ts'
import type { AudienceContentVersion, AudienceLookupTools } from '../channel.ts'
import { parseRcsPhone } from './compose/number.ts'
import { openRcsProfileGateway, readRcsProfile } from './profile-gateway.ts'

/** The longest that the planning of a campaign waits to ask once more. */
const MAX_RETRY_WAIT_MS = 30_000

/** Asks for the phones of one batch, and once more when the provider asked for a later call. */
async function lookUpBatch(gateway: RcsGateway, batch: PhoneBatch): Promise<BatchCapability> {
  const firstAnswer = await gateway.usersBatchGet(batch)
  if (
    firstAnswer.result === 'known' ||
    firstAnswer.retryAfterMs === undefined ||
    firstAnswer.retryAfterMs > MAX_RETRY_WAIT_MS
  )
    return firstAnswer
  await delay(firstAnswer.retryAfterMs)
  return gateway.usersBatchGet(batch)
}

/** Asks for phones of which nothing is known, in bulk. What is not answered is asked singly, before each message. */
async function lookUpPhones(
  { db, clock, log }: AudienceLookupTools,
  { gateway, profile }: { gateway: RcsGateway; profile: StoredRcsProfile },
  phones: readonly string[],
): Promise<void> {
  for (const batch of planRcsLookup(phones).batches) {
    const answer = await lookUpBatch(gateway, batch)
    if (answer.result === 'unknown') {
      log.warn({ reason: answer.reason, region: batch.region }, 'phones of a campaign are not known before it is sent')
      continue
    }
    const phoneCapabilities = batch.phones.map((phone) => ({
      phone,
      reachable: answer.reachable.has(phone),
      features: null,
    }))
    await writePhoneCapabilities(db, profile, phoneCapabilities, new Date(clock.now()))
  }
}

/**
 * Looks up in bulk, by region, which phones of a campaign can be reached, if 500 or more of a region are unknown. The others are looked up
 * one by one before their messages are sent.
 */
export async function lookUpRcsAudience(
  tools: AudienceLookupTools,
  { account, source: { rcs, settings } }: AudienceContentVersion,
  addresses: readonly string[],
): Promise<void> {
  const { db, clock, masterKeys } = tools
  const [profile] = rcs ? await findRcsProfiles(db, [{ account, id: rcs.profile }]) : []
  // Where nothing is kept each message asks.
  if (!profile?.active || !profile.capability.check || profile.capability.cacheHours === 0) return
  const { values } = readRcsProfile(masterKeys, profile)
  if (!values || profile.provider === 'capture') return
  const phones = [...new Set(addresses.flatMap((address) => parseRcsPhone(address, rcs?.country) ?? []))]
  const { purpose } = settings
  const knownCapabilities = await readPhoneCapabilities(db, profile, phones, { now: new Date(clock.now()), purpose })
  const gateway = openRcsProfileGateway(profile, values, tools)
  try {
    await lookUpPhones(
      tools,
      { gateway, profile },
      phones.filter((phone) => !knownCapabilities.has(phone)),
    )
  } finally {
    await gateway.close(0)
  }
}
