import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { resolveMailDestination } from '../../deliverability/mailbox-domains.ts'
import { type DetailCount, readDetailCounts } from '../../events/counts/detail-counts.ts'
import { addToContactSet, type ContactSet } from '../../events/counts/summary-contacts.ts'
import type { ReportResource } from './report-schemas.ts'
import { isBoundedPeriod, type ReportSubject } from './reported.ts'

/** What events say beside their kind. */
export interface ReportDetails extends Pick<ReportResource, 'bounces' | 'links' | 'devices'> {
  /** Messages that were cancelled, by type. */
  cancelled: Map<string, number>
  /** Messages on demand that arrived, or were lost after they had been handed over, as reports say. */
  arrivals: Map<string, number>
}

type Link = ReportResource['links'][number]
type Device = ReportResource['devices'][number]
type Bounce = ReportResource['bounces'][number]

const UNKNOWN = 'unknown'

/** The most frequent first, then by what they say. */
function sorted<T extends object>(members: readonly T[], count: (member: T) => number): T[] {
  return members.toSorted((a, b) => count(b) - count(a) || JSON.stringify(a).localeCompare(JSON.stringify(b)))
}

/** Members of a map by key, each made when it is first asked for. */
function memberOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key) ?? make()
  map.set(key, known)
  return known
}

/** The addresses of links by number, as the last content that was kept writes them. */
async function addressesOf(db: Db, { account, sourceKind, source }: ReportSubject): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; url: string }>`
    select distinct on (1) (l ->> 'id')::integer as id, l ->> 'url' as url
    from content_versions v cross join lateral jsonb_array_elements(v.links) l
    where v.account = ${account} and v.owner_kind = ${sourceKind} and v.owner = ${source} and l ->> 'url' is not null
    order by 1, v.id desc`.execute(db)
  return new Map(rows.map(({ id, url }) => [id, url]))
}

type Said = Pick<DetailCount, 'kind' | 'detail' | 'humans' | 'contacts'>

function refusals() {
  const bounces = new Map<string, Bounce>()
  return {
    add({ detail: [domain, given, subject], humans }: Said): void {
      const destination = domain ? resolveMailDestination(domain) : null
      const verdict = given === 'hard' ? 'hard' : 'soft'
      const cause = subject ?? UNKNOWN
      const key = JSON.stringify([destination, verdict, cause])
      memberOf(bounces, key, () => ({ destination, verdict, cause, count: 0 })).count += humans
    },
    read: () => sorted([...bounces.values()], ({ count }) => count),
  }
}

function followed(addresses: ReadonlyMap<number, string>) {
  const links = new Map<string, Link & { seen: ContactSet }>()
  return {
    add({ detail: [given], humans, contacts }: Said): void {
      const id = Number(given)
      const link = memberOf(links, String(id), () => {
        return { id, address: addresses.get(id) ?? null, clicks: 0, contacts: 0, seen: new Map() }
      })
      link.clicks += humans
      link.contacts += addToContactSet(link.seen, contacts)
    },
    read: () => [...links.values()].map(({ seen: _, ...link }) => link).sort((a, b) => a.id - b.id),
  }
}

function used() {
  const devices = new Map<string, Device>()
  return {
    add({ kind, detail: [type, os = null, client = null], humans }: Said): void {
      const device = memberOf(devices, JSON.stringify([type, os, client]), () => {
        return { type: type ?? UNKNOWN, os, client, opens: 0, clicks: 0 }
      })
      device[kind === 'hits/open' ? 'opens' : 'clicks'] += humans
    },
    read: () => sorted([...devices.values()], ({ opens, clicks }) => opens + clicks),
  }
}

function said() {
  const types = new Map<string, number>()
  return {
    add({ detail: [given], humans }: Said): void {
      const type = given ?? UNKNOWN
      types.set(type, (types.get(type) ?? 0) + humans)
    },
    read: () => types,
  }
}

/** Cancellations, refusals, links and devices of what is reported of. */
export async function readReportDetails(db: Db, reported: ReportSubject): Promise<ReportDetails> {
  const { account, channel, source, period } = reported
  const [cancellation, arrival, bounce, device] = [said(), said(), refusals(), used()]
  const link = followed(await addressesOf(db, reported))
  const gathered = { cancellation, arrival, bounce, link, device }
  const counted = { account, channels: [channel], subjects: [source] }
  for await (const row of readDetailCounts(db, counted, { asked: isBoundedPeriod(period) ? period : undefined }))
    gathered[row.facet].add(row)
  return {
    cancelled: cancellation.read(),
    arrivals: arrival.read(),
    bounces: bounce.read(),
    links: link.read(),
    devices: device.read(),
  }
}
