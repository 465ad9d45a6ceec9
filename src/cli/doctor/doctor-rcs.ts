import type { ServiceConfig } from '../../config.ts'
import type { Db } from '../../database/connection/connect.ts'
import { describeAccount } from '../../features/accounts/accounts.ts'
import { listAllRcsProfiles, type StoredRcsProfile } from '../../features/rcs-profiles/profiles.ts'
import { listProviderAddresses, unsealRcsProfileSecrets } from '../../features/rcs-profiles/provider.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { createOutboundPolicy, sendOutboundRequest } from '../../lib/net/guarded-client.ts'
import type { DoctorFinding } from './finding.ts'

const ANSWER_MS = 10_000
const MAX_ANSWER_BYTES = 1024 * 1024

/** Whether there is a server at an address; what it says to a request without credentials does not matter. */
async function isAnswered(url: string, { outgoingAllow }: ServiceConfig): Promise<boolean> {
  const request = { url, method: 'GET', timeoutMs: ANSWER_MS, maxBytes: MAX_ANSWER_BYTES }
  const { status } = await sendOutboundRequest(request, createOutboundPolicy(outgoingAllow))
  return status < 500
}

async function findUnanswered(profile: StoredRcsProfile, config: ServiceConfig): Promise<string | undefined> {
  for (const url of listProviderAddresses(profile.settings)) {
    try {
      if (!(await isAnswered(url, config))) return `${url} has a fault of its own`
    } catch (error) {
      return `${url}: ${error instanceof Error ? error.message : error}`
    }
  }
  return undefined
}

/** What is wrong with the secrets of a profile; undefined: nothing. */
function flawOf(keys: MasterKeys, profile: StoredRcsProfile): string | undefined {
  try {
    const { credentials, clientToken } = unsealRcsProfileSecrets(keys, profile)
    if (credentials === null) return 'has no credentials'
    return clientToken === null ? 'has no client token: its webhook refuses everything' : undefined
  } catch {
    return 'has secrets that the master key does not open'
  }
}

async function check(
  config: ServiceConfig,
  keys: MasterKeys,
  profile: StoredRcsProfile,
  asks: boolean,
): Promise<DoctorFinding> {
  const subject = `RCS profile ${profile.id} ${profile.name}`
  const advice = 'Give it the service account of the agent and the client token of its webhook: docs/rcs.md.'
  const flaw = flawOf(keys, profile)
  if (flaw !== undefined) return { subject, ok: false, seen: flaw, advice }
  const seen = `credentials ${profile.fingerprint} are in order`
  if (!asks) return { subject, ok: true, seen }
  const unanswered = await findUnanswered(profile, config)
  if (unanswered === undefined) return { subject, ok: true, seen: `${seen}, and its provider answers` }
  return { subject, ok: false, seen: unanswered, advice: 'Look at its addresses and the firewall between.' }
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
  const accounts = new Map<number, string>()
  for (const account of new Set(profiles.map((profile) => profile.account))) {
    const { agency, customer } = (await describeAccount(db, account)).identity
    accounts.set(account, `${agency}${customer}`)
  }
  const findings = await Promise.all(profiles.map((profile) => check(config, keys, profile, asks)))
  return findings.map((finding, n) => ({
    ...finding,
    subject: `${accounts.get(profiles[n]?.account ?? 0)} ${finding.subject}`,
  }))
}
