import type { ApiAnswer } from '../../api/shapes.ts'
import { type JudgedFigures, rankDestinations } from '../deliverability/verdict.ts'

type ApiOverview = ApiAnswer<'getOverview'>

/** What waits for a person, gravest kind first; each has one page where it is dealt with. */
export type HomeNeed =
  | { kind: 'alarm'; destination: string; of: 'complaints' | 'bounces'; rate: number; limit: number }
  | { kind: 'failure'; failure: ApiOverview['failed'][number] }
  | { kind: 'approval'; approval: ApiOverview['approvals'][number] }
  | { kind: 'decision'; campaign: ApiOverview['running'][number]; waiting: number }
  | { kind: 'domain'; name: string }
  | { kind: 'task'; task: ApiOverview['failingTasks'][number] }

interface NeedSources {
  overview: Pick<ApiOverview, 'failed' | 'approvals' | 'failingTasks'>
  destinations: readonly JudgedFigures[]
  domains: readonly { name: string; verified: boolean }[]
  /** Running experiments that wait for the choice of a version. */
  decisions: readonly { campaign: ApiOverview['running'][number]; waiting: number }[]
}

/** Everything that needs a person, alarms first. */
export function collectHomeNeeds({ overview, destinations, domains, decisions }: NeedSources): HomeNeed[] {
  const alarms = rankDestinations(destinations).flatMap(({ row, verdict }): HomeNeed[] =>
    verdict.level === 'bad' && verdict.cause && row.destination !== null
      ? [{ kind: 'alarm', destination: row.destination, ...verdict.cause }]
      : [],
  )
  return [
    ...alarms,
    ...overview.failingTasks.map((task): HomeNeed => ({ kind: 'task', task })),
    ...overview.failed.map((failure): HomeNeed => ({ kind: 'failure', failure })),
    ...decisions.map((decision): HomeNeed => ({ kind: 'decision', ...decision })),
    ...overview.approvals.map((approval): HomeNeed => ({ kind: 'approval', approval })),
    ...domains.filter(({ verified }) => !verified).map(({ name }): HomeNeed => ({ kind: 'domain', name })),
  ]
}
