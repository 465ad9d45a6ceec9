import { sql } from 'kysely'
import { actionChannelNames, type ChannelActionType } from '../../../channels/channel-traits.ts'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { ShortReport } from '../../actions/reports/short-report-schemas.ts'
import { readShortReports, type ShortReportSubject } from '../../actions/reports/short-reports.ts'
import type { CampaignItemType } from '../../campaign-groups/campaign-schemas.ts'
import { loadCampaign } from '../../campaign-groups/campaigns.ts'
import { type StoredCampaignItem, toCampaignItem } from '../../campaign-groups/items.ts'
import { readDisplayReports } from '../../display/display-report.ts'
import type { DisplayReport } from '../../display/display-report-schemas.ts'
import type {
  CampaignItemReport,
  CampaignResults,
  CampaignSummary,
  CampaignTotals,
} from './campaign-results-schemas.ts'

interface CampaignItemRow {
  campaign: string
  item: StoredCampaignItem
  /** Its number in its events; null for items without one. */
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
async function readCampaignItems(db: Db, account: AccountId, campaign: string | null): Promise<CampaignItemRow[]> {
  const { rows } = await sql<CampaignItemRow>`
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
type NumberSpace = 'action' | 'push' | 'display' | 'workflow'

const numberSpaces: Readonly<Record<CampaignItemType, NumberSpace>> = {
  email: 'action',
  sms: 'action',
  rcs: 'action',
  notification: 'push',
  display: 'display',
  workflow: 'workflow',
}

/** Reads the reports of these items, by number space and number. */
async function readItemReports(db: Db, account: AccountId, rows: readonly CampaignItemRow[]) {
  const rowsInSpace = (space: NumberSpace): CampaignItemRow[] =>
    rows.filter((row) => numberSpaces[row.item.type] === space)
  const toReportSubject = (row: CampaignItemRow): ShortReportSubject => ({
    id: row.subject!,
    sending: row.sending,
    startedAt: row.startedAt,
  })
  const [actions, notifications, displayReports] = await Promise.all([
    readShortReports(db, { account, channels: actionChannelNames }, rowsInSpace('action').map(toReportSubject)),
    readShortReports(db, { account, channels: [pushChannelTraits.name] }, rowsInSpace('push').map(toReportSubject)),
    readDisplayReports(
      db,
      account,
      rowsInSpace('display').map(({ subject }) => subject!),
    ),
  ])
  const sendingReports = { action: actions, push: notifications }
  return (row: CampaignItemRow): { report: ShortReport | null; display: DisplayReport | null } => {
    const space = numberSpaces[row.item.type]
    // What a workflow sends is that of its actions.
    if (space === 'workflow') return { report: null, display: null }
    return space === 'display'
      ? { report: null, display: displayReports.get(row.subject!) ?? null }
      : { report: sendingReports[space].get(row.subject!) ?? null, display: null }
  }
}

function sumResults(results: readonly Pick<CampaignItemReport, 'report' | 'display'>[]): CampaignTotals {
  const sumReports = (of: (report: ShortReport) => number): number =>
    results.reduce((total, { report }) => total + (report ? of(report) : 0), 0)
  const sumDisplayReports = (of: (report: DisplayReport) => number): number =>
    results.reduce((total, { display }) => total + (display ? of(display) : 0), 0)
  return {
    sent: sumReports(({ sent: sentCount }) => sentCount),
    impressions: sumDisplayReports(({ impressions }) => impressions.human),
    opens: { human: sumReports(({ opens }) => opens.human), machine: sumReports(({ opens }) => opens.machine) },
    clicks: {
      human: sumReports(({ clicks }) => clicks.human) + sumDisplayReports(({ clicks }) => clicks.human),
      machine: sumReports(({ clicks }) => clicks.machine) + sumDisplayReports(({ clicks }) => clicks.machine),
    },
    unsubscribes: sumReports(({ unsubscribes }) => unsubscribes),
    complaints: sumReports(({ complaints }) => complaints),
    replies: sumReports(({ replies }) => replies),
    bounces: sumReports(({ bounces }) => bounces),
  }
}

function findLastSending(rows: readonly CampaignItemRow[]): string | null {
  const startTimes = rows.flatMap(({ startedAt }) => (startedAt ? [startedAt.getTime()] : []))
  return startTimes.length === 0 ? null : new Date(Math.max(...startTimes)).toISOString()
}

/** The items of a campaign, each with its state and results. Throws notFound. */
export async function readCampaignResults(db: Db, account: AccountId, id: string): Promise<CampaignResults> {
  await loadCampaign(db, account, id)
  const rows = await readCampaignItems(db, account, id)
  const resultsOf = await readItemReports(db, account, rows)
  const items = rows.map((row): CampaignItemReport => {
    const { item, kind, name, state, paused, active, startedAt } = row
    const startDate = startedAt?.toISOString() ?? null
    return { ...toCampaignItem(item), kind, name, state, paused, active, startDate, ...resultsOf(row) }
  })
  return { items, totals: sumResults(items), lastSending: findLastSending(rows) }
}

/** Every campaign that has items, by creation, with what these came to together. */
export async function listCampaignSummaries(db: Db, account: AccountId): Promise<CampaignSummary[]> {
  const rows = await readCampaignItems(db, account, null)
  const resultsOf = await readItemReports(db, account, rows)
  return [...Map.groupBy(rows, ({ campaign }) => campaign)].map(([id, campaignRows]) => ({
    id,
    items: campaignRows.length,
    totals: sumResults(campaignRows.map(resultsOf)),
    lastSending: findLastSending(campaignRows),
  }))
}
