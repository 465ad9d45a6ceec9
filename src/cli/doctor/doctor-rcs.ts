import type { ServiceConfig } from '../../config.ts'
import type { Db } from '../../database/connection/connect.ts'
import { describeAccount } from '../../features/accounts/accounts.ts'
import { listAllRcsProfiles, type StoredRcsProfile } from '../../features/rcs-profiles/profiles.ts'
import { listProviderAddresses, unsealRcsProfileSecrets } from '../../features/rcs-profiles/provider.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { createOutboundPolicy, sendOutboundRequest } from '../../lib/net/guarded-client.ts'
import type { DoctorFinding } from './finding.ts'

const RESPONSE_TIMEOUT_MS = 10_000
const MAX_RESPONSE_BYTES = 1024 * 1024

/** Returns true if a server responds at an address. Its answer to a request without credentials does not matter. */
async function isServerReachable(url: string, { outgoingAllow }: ServiceConfig): Promise<boolean> {
  const request = { url, method: 'GET', timeoutMs: RESPONSE_TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES }
  const { status } = await sendOutboundRequest(request, createOutboundPolicy(outgoingAllow))
  return status < 500
}

async function findUnreachableAddress(profile: StoredRcsProfile, config: ServiceConfig): Promise<string | undefined> {
  for (const url of listProviderAddresses(profile.settings)) {
    try {
      if (!(await isServerReachable(url, config))) return `${url} responds with a server error`
    } catch (error) {
      return `${url}: ${error instanceof Error ? error.message : error}`
    }
  }
  return undefined
}

/** The fault in the secrets of a profile; undefined if there is no fault. */
function findSecretsFault(keys: MasterKeys, profile: StoredRcsProfile): string | undefined {
  try {
    const { credentials, clientToken } = unsealRcsProfileSecrets(keys, profile)
    if (credentials === null) return 'has no credentials'
    return clientToken === null ? 'has no client token, so its webhook rejects every request' : undefined
  } catch {
    return 'has secrets that the master key cannot decrypt'
  }
}

async function checkProfile(
  config: ServiceConfig,
  keys: MasterKeys,
  profile: StoredRcsProfile,
  asks: boolean,
): Promise<DoctorFinding> {
  const subject = `RCS profile ${profile.id} ${profile.name}`
  const advice = 'Set the service account of the agent and the client token of its webhook (see docs/reference/rcs.md).'
  const secretsFault = findSecretsFault(keys, profile)
  if (secretsFault !== undefined) return { subject, ok: false, seen: secretsFault, advice }
  const findingText = `credentials ${profile.fingerprint} are set`
  if (!asks) return { subject, ok: true, seen: findingText }
  const unanswered = await findUnreachableAddress(profile, config)
  if (unanswered === undefined) return { subject, ok: true, seen: `${findingText}, and its provider responds` }
  return { subject, ok: false, seen: unanswered, advice: 'Check its addresses and the firewall in between.' }
}

/**
 * Looks at the secrets of every active profile that sends, and with `asks` whether its provider answers; nothing is sent.
 */
export async function checkRcsProfiles(
  config: ServiceConfig,
  db: Db,
  keys: MasterKeys,
  { asks }: { asks: boolean },
): Promise<DoctorFinding[]> {
  const profiles = (await listAllRcsProfiles(db)).filter(({ active, provider }) => active && provider !== 'capture')
  const accountCodes = new Map<number, string>()
  for (const account of new Set(profiles.map((profile) => profile.account))) {
    const { agency, customer } = (await describeAccount(db, account)).identity
    accountCodes.set(account, `${agency}${customer}`)
  }
  const findings = await Promise.all(profiles.map((profile) => checkProfile(config, keys, profile, asks)))
  return findings.map((finding, n) => ({
    ...finding,
    subject: `${accountCodes.get(profiles[n]?.account ?? 0)} ${finding.subject}`,
  }))
}
