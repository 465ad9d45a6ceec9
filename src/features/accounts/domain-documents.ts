import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { DAY_MS } from '../../lib/time/spans.ts'
import { RETIRED_DKIM_KEY_DAYS } from './domain-keys.ts'
import { buildDomainDnsRecords, type DomainDnsRecord, formatZoneFileLine } from './domain-records.ts'
import type { DnsRecordResource, ListedSendingDomain, SendingDomain } from './domain-schemas.ts'
import { buildTrackingRecords, type TrackingDnsRecord } from './domain-tracking.ts'
import { readPublishedDomain, type StoredDnsFinding } from './domain-verification.ts'

interface SendingDomainRow {
  domain: string
  isDefault: boolean
  verifiedAt: Date | null
  checkedAt: Date | null
  createdAt: Date
  findings: StoredDnsFinding[] | null
}

/** The domains of an account by name, or the one of a name. */
async function loadDomainRows(db: Db, account: AccountId, domain: string | null): Promise<SendingDomainRow[]> {
  const { rows } = await sql<SendingDomainRow>`
    select domain, is_default as "isDefault", verified_at as "verifiedAt", checked_at as "checkedAt",
      created_at as "createdAt", findings
    from sending_domains where account = ${account} and domain = coalesce(${domain}, domain) order by domain`.execute(
    db,
  )
  return rows
}

function toSendingDomain({
  domain,
  isDefault,
  verifiedAt,
  checkedAt,
  createdAt,
}: SendingDomainRow): ListedSendingDomain {
  return {
    name: domain,
    default: isDefault,
    verified: verifiedAt !== null,
    verifiedDate: verifiedAt?.toISOString() ?? null,
    checkedDate: checkedAt?.toISOString() ?? null,
    creationDate: createdAt.toISOString(),
  }
}

const recordPurposes = { DKIM: 'DKIM', SPF: 'SPF', DMARC: 'DMARC', bounces: 'MX', tracking: 'tracking' } as const

function describeRecordKey({ key }: Partial<Pick<DomainDnsRecord, 'key'>>): DnsRecordResource['key'] {
  if (key === undefined) return null
  const { selector, algorithm, state, retiredAt } = key
  const removable =
    retiredAt === null ? null : new Date(retiredAt.getTime() + RETIRED_DKIM_KEY_DAYS * DAY_MS).toISOString()
  return { selector, algorithm, state, removableDate: removable }
}

function formatRecordLine(record: DomainDnsRecord | TrackingDnsRecord): string | null {
  if (record.purpose !== 'tracking') return formatZoneFileLine(record)
  return record.value === null ? null : `${record.name}. IN CNAME ${record.value}`
}

/** A record with what the last check found of it; one that came since then was not checked. */
function toRecordResource(
  record: DomainDnsRecord | TrackingDnsRecord,
  { findings, checkedAt }: SendingDomainRow,
): DnsRecordResource {
  const { purpose, type, name, value } = record
  const finding = findings?.find((stored) => stored.purpose === purpose && stored.type === type && stored.name === name)
  return {
    purpose: recordPurposes[purpose],
    type,
    name,
    value,
    line: formatRecordLine(record),
    state: finding === undefined ? 'unchecked' : finding.found ? 'found' : 'missing',
    found: finding?.seen ?? [],
    checkedDate: (finding && checkedAt?.toISOString()) ?? null,
    key: record.purpose === 'DKIM' ? describeRecordKey(record) : null,
  }
}

/** The domains of an account, by name. */
export async function listSendingDomains(db: Db, account: AccountId): Promise<ListedSendingDomain[]> {
  return (await loadDomainRows(db, account, null)).map(toSendingDomain)
}

/** A domain with what is to be published, and what the last check found of it. Throws notFound. */
export async function readSendingDomain(
  db: Db,
  account: AccountId,
  domain: string,
  publicUrl: string,
): Promise<SendingDomain> {
  const [row] = await loadDomainRows(db, account, domain)
  if (!row) throw notFoundProblem('domain', domain)
  const published = await readPublishedDomain(db, account, domain, publicUrl)
  const records = [...buildDomainDnsRecords(published), ...buildTrackingRecords(published)]
  return { ...toSendingDomain(row), records: records.map((record) => toRecordResource(record, row)) }
}
