import type { RcsContent } from '../../../channels/rcs/content-schemas.ts'
import type { Db } from '../../../database/connect.ts'
import type { StoredContent } from '../stored.ts'
import type { Metric } from './experiment-schemas.ts'

/** A version as it is kept: what it has in place of the campaign's content. */
export interface StoredVersion {
  id: string
  /** Percent. */
  share: number
  subject?: string | null
  from?: NonNullable<StoredContent['headers']>['from']
  /** Parts of a mail or a text; of a rich message the whole content. */
  content?: Partial<Pick<StoredContent, 'html' | 'text' | 'amp' | 'textContent'>> | RcsContent
}

/** An experiment as it is kept in the settings of a campaign. */
export interface StoredExperiment {
  versions: StoredVersion[]
  holdout: number
  metric: Metric
  decideAfter: { unit: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK'; value: number }
  minimum: number
  decide: 'auto' | 'ask'
}

/** The content of a campaign with what a version has in its place; the design is of the campaign's own HTML. */
export function contentOfVersion(stored: StoredContent, { subject, from, content }: StoredVersion): StoredContent {
  if ('content' in stored) return { ...stored, content: (content as RcsContent | undefined) ?? stored.content ?? null }
  const { design: _, ...own } = stored
  return {
    ...own,
    ...content,
    ...(subject !== undefined && { subject }),
    ...(from && own.headers && { headers: { ...own.headers, from: { ...own.headers.from, ...from } } }),
  } as StoredContent
}

/** A version of a run: its id, its share in percent and the number of its frozen content. */
export interface RunVersion {
  id: string
  share: number
  version: number
}

/** An experiment of a run as the database has it. */
export interface RunExperiment {
  sending: number
  account: number
  action: number
  versions: RunVersion[]
  holdout: number
  metric: Metric
  decide_after: StoredExperiment['decideAfter']
  minimum: number
  decide: 'auto' | 'ask'
  settled_at: Date | null
  decided_at: Date | null
  decision: { version: string; by: 'auto' | 'person'; isClear: boolean } | null
  ended_at: Date | null
}

/** The experiment of a run; undefined when it has none. */
export async function loadRunExperiment(db: Db, sending: number): Promise<RunExperiment | undefined> {
  const row = await db.selectFrom('campaign_experiments').selectAll().where('sending', '=', sending).executeTakeFirst()
  return row && ({ ...row, holdout: Number(row.holdout) } as unknown as RunExperiment)
}
