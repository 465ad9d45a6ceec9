import { sql } from 'kysely'
import { actionChannelNames, type ChannelActionType } from '../../../channels/facts.ts'
import { pushChannelTraits } from '../../../channels/push/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { ShortReport } from '../../actions/reports/short-report-schemas.ts'
import { readShortReports, type ShortReportSubject } from '../../actions/reports/short-reports.ts'
import { loadCampaign } from '../../campaigns/campaigns.ts'
import { type StoredCampaignItem, toCampaignItem } from '../../campaigns/items.ts'
import { readDisplayReports } from '../../display/display-report.ts'
import type { DisplayReport } from '../../display/display-report-schemas.ts'
import type {
  CampaignItemReport,
  CampaignResults,
  CampaignSummary,
  CampaignTotals,
} from './campaign-results-schemas.ts'

interface Row {
  campaign: string
  item: StoredCampaignItem
  /** As its events know it; null for what has none. */
  subject: number | null
  kind: ChannelActionType | null
  name: string
  state: number | null
  paused: boolean
  active: boolean | null
  sending: number | null
  startedAt: Date | null
}

/** The items of one campaign, or of all, in their order. */
async function readItemsOf(db: Db, account: AccountId, campaign: string | null): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select i.campaign, jsonb_build_object('type', i.type, 'number', i.number, 'name', i.name) as item,
      coalesce(a.id, n.id, d.number, w.id) as subject, a.type as kind, coalesce(a.name, n.name, d.name, w.name) as name, a.state,
      coalesce(s.paused, false) as paused, coalesce(n.active, d.active, w.state = 1) as active, a.sending, a.started_at as "startedAt"
    from campaign_items i
    left join actions a on a.account = i.account and a.id = i.number and i.type = any(${actionChannelNames}::text[])
    left join sendings s on s.id = a.sending
    left join notifications n on n.account = i.account and n.id = i.number and i.type = ${pushChannelTraits.name}
    left join workflows w on w.account = i.account and w.id = i.number and i.type = 'workflow'
    left join display_campaigns d on d.account = i.account and d.id = i.name and i.type = 'display'
    where i.account = ${account} and (${campaign}::uuid is null or i.campaign = ${campaign}::uuid)
      and coalesce(a.id, n.id, d.number, w.id) is not null
    order by i.campaign, i.position`.execute(db)
  return rows
}

/** Numbers of actions, notifications, display campaigns and workflows are not of one sequence. */
type Space = 'action' | 'push' | 'display' | 'workflow'

function spaceOf({ item: { type } }: Row): Space {
  if (type === pushChannelTraits.name) return 'push'
  return type === 'display' || type === 'workflow' ? type : 'action'
}

/** What each of these came to, by the space of its number and by that. */
async function reportsOf(db: Db, account: AccountId, rows: readonly Row[]) {
  const of = (space: Space): Row[] => rows.filter((row) => spaceOf(row) === space)
  const reported = (row: Row): ShortReportSubject => ({
    id: row.subject!,
    sending: row.sending,
    startedAt: row.startedAt,
  })
  const [actions, notifications, shown] = await Promise.all([
    readShortReports(db, { account, channels: actionChannelNames }, of('action').map(reported)),
    readShortReports(db, { account, channels: [pushChannelTraits.name] }, of('push').map(reported)),
    readDisplayReports(
      db,
      account,
      of('display').map(({ subject }) => subject!),
    ),
  ])
  const sent = { action: actions, push: notifications }
  return (row: Row): { report: ShortReport | null; display: DisplayReport | null } => {
    const space = spaceOf(row)
    // What a workflow sends is that of its actions.
    if (space === 'workflow') return { report: null, display: null }
    return space === 'display'
      ? { report: null, display: shown.get(row.subject!) ?? null }
      : { report: sent[space].get(row.subject!) ?? null, display: null }
  }
}

function totalsOf(results: readonly Pick<CampaignItemReport, 'report' | 'display'>[]): CampaignTotals {
  const sum = (of: (report: ShortReport) => number): number =>
    results.reduce((total, { report }) => total + (report ? of(report) : 0), 0)
  const shown = (of: (report: DisplayReport) => number): number =>
    results.reduce((total, { display }) => total + (display ? of(display) : 0), 0)
  return {
    sent: sum(({ sent }) => sent),
    impressions: shown(({ impressions }) => impressions.human),
    opens: { human: sum(({ opens }) => opens.human), machine: sum(({ opens }) => opens.machine) },
    clicks: {
      human: sum(({ clicks }) => clicks.human) + shown(({ clicks }) => clicks.human),
      machine: sum(({ clicks }) => clicks.machine) + shown(({ clicks }) => clicks.machine),
    },
    unsubscribes: sum(({ unsubscribes }) => unsubscribes),
    complaints: sum(({ complaints }) => complaints),
    replies: sum(({ replies }) => replies),
    bounces: sum(({ bounces }) => bounces),
  }
}

function lastSendingOf(rows: readonly Row[]): string | null {
  const starts = rows.flatMap(({ startedAt }) => (startedAt ? [startedAt.getTime()] : []))
  return starts.length === 0 ? null : new Date(Math.max(...starts)).toISOString()
}

/** The items of a campaign, each with its state and results. Throws notFound. */
export async function readCampaignResults(db: Db, account: AccountId, id: string): Promise<CampaignResults> {
  await loadCampaign(db, account, id)
  const rows = await readItemsOf(db, account, id)
  const resultsOf = await reportsOf(db, account, rows)
  const items = rows.map((row): CampaignItemReport => {
    const { item, kind, name, state, paused, active, startedAt } = row
    const startDate = startedAt?.toISOString() ?? null
    return { ...toCampaignItem(item), kind, name, state, paused, active, startDate, ...resultsOf(row) }
  })
  return { items, totals: totalsOf(items), lastSending: lastSendingOf(rows) }
}

/** Every campaign that has items, by creation, with what these came to together. */
export async function listCampaignSummaries(db: Db, account: AccountId): Promise<CampaignSummary[]> {
  const rows = await readItemsOf(db, account, null)
  const resultsOf = await reportsOf(db, account, rows)
  return [...Map.groupBy(rows, ({ campaign }) => campaign)].map(([id, own]) => ({
    id,
    items: own.length,
    totals: totalsOf(own.map(resultsOf)),
    lastSending: lastSendingOf(own),
  }))
}
