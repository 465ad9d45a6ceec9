import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { resolveMailDestination } from '../../deliverability/mailbox-domains.ts'
import { type DetailCount, readDetailCounts } from '../../events/counts/detail-counts.ts'
import { addToContactSet, type ContactSet } from '../../events/counts/summary-contacts.ts'
import type { ReportResource } from './report-schemas.ts'
import { isBoundedPeriod, type ReportSubject } from './reported.ts'

/** Details of events in addition to their kind. */
export interface ReportDetails extends Pick<ReportResource, 'bounces' | 'links' | 'devices'> {
  /** Messages that were cancelled, by type. */
  cancelled: Map<string, number>
  /** Messages on demand that arrived, or were lost after they had been handed over, as reports say. */
  arrivals: Map<string, number>
}

type ReportLink = ReportResource['links'][number]
type ReportDevice = ReportResource['devices'][number]
type ReportBounce = ReportResource['bounces'][number]

const UNKNOWN_CAUSE = 'unknown'

/** The most frequent first, then by what they say. */
function sortByFrequency<T extends object>(members: readonly T[], count: (member: T) => number): T[] {
  return members.toSorted((a, b) => count(b) - count(a) || JSON.stringify(a).localeCompare(JSON.stringify(b)))
}

/** Members of a map by key, each made when it is first asked for. */
function getOrCreate<T>(map: Map<string, T>, key: string, make: () => T): T {
  const existing = map.get(key) ?? make()
  map.set(key, existing)
  return existing
}

/** The addresses of links by number, as the last content that was kept writes them. */
async function loadLinkAddresses(db: Db, { account, sourceKind, source }: ReportSubject): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; url: string }>`
    select distinct on (1) (l ->> 'id')::integer as id, l ->> 'url' as url
    from content_versions v cross join lateral jsonb_array_elements(v.links) l
    where v.account = ${account} and v.owner_kind = ${sourceKind} and v.owner = ${source} and l ->> 'url' is not null
    order by 1, v.id desc`.execute(db)
  return new Map(rows.map(({ id, url }) => [id, url]))
}

type CountedDetail = Pick<DetailCount, 'kind' | 'detail' | 'humans' | 'contacts'>

function createBounceCounter() {
  const bounces = new Map<string, ReportBounce>()
  return {
    add({ detail: [domain, detailValue, subject], humans }: CountedDetail): void {
      const destination = domain ? resolveMailDestination(domain) : null
      const verdict = detailValue === 'hard' ? 'hard' : 'soft'
      const cause = subject ?? UNKNOWN_CAUSE
      const key = JSON.stringify([destination, verdict, cause])
      getOrCreate(bounces, key, () => ({ destination, verdict, cause, count: 0 })).count += humans
    },
    read: () => sortByFrequency([...bounces.values()], ({ count }) => count),
  }
}

function createLinkCounter(addresses: ReadonlyMap<number, string>) {
  const links = new Map<string, ReportLink & { seen: ContactSet }>()
  return {
    add({ detail: [detailValue], humans, contacts }: CountedDetail): void {
      const id = Number(detailValue)
      const link = getOrCreate(links, String(id), () => {
        return { id, address: addresses.get(id) ?? null, clicks: 0, contacts: 0, seen: new Map() }
      })
      link.clicks += humans
      link.contacts += addToContactSet(link.seen, contacts)
    },
    read: () => [...links.values()].map(({ seen: _, ...link }) => link).sort((a, b) => a.id - b.id),
  }
}

function createDeviceCounter() {
  const devices = new Map<string, ReportDevice>()
  return {
    add({ kind, detail: [type, os = null, client = null], humans }: CountedDetail): void {
      const device = getOrCreate(devices, JSON.stringify([type, os, client]), () => {
        return { type: type ?? UNKNOWN_CAUSE, os, client, opens: 0, clicks: 0 }
      })
      device[kind === 'hits/open' ? 'opens' : 'clicks'] += humans
    },
    read: () => sortByFrequency([...devices.values()], ({ opens, clicks }) => opens + clicks),
  }
}

function createTypeCounter() {
  const types = new Map<string, number>()
  return {
    add({ detail: [detailValue], humans }: CountedDetail): void {
      const type = detailValue ?? UNKNOWN_CAUSE
      types.set(type, (types.get(type) ?? 0) + humans)
    },
    read: () => types,
  }
}

/** Cancellations, refusals, links and devices of what is reported of. */
export async function readReportDetails(db: Db, reported: ReportSubject): Promise<ReportDetails> {
  const { account, channel, source, period } = reported
  const [cancellation, arrival, bounce, device] = [
    createTypeCounter(),
    createTypeCounter(),
    createBounceCounter(),
    createDeviceCounter(),
  ]
  const link = createLinkCounter(await loadLinkAddresses(db, reported))
  const detailCounters = { cancellation, arrival, bounce, link, device }
  const countedSubjects = { account, channels: [channel], subjects: [source] }
  for await (const row of readDetailCounts(db, countedSubjects, {
    asked: isBoundedPeriod(period) ? period : undefined,
  }))
    detailCounters[row.facet].add(row)
  return {
    cancelled: cancellation.read(),
    arrivals: arrival.read(),
    bounces: bounce.read(),
    links: link.read(),
    devices: device.read(),
  }
}
