import type { AuthoredContent } from '../../../channels/authored.ts'
import type { RcsMessageContent } from '../../../channels/rcs/content/content-schemas.ts'
import type { ConversionCounts } from '../../../lib/beta-distribution.ts'
import type { ExperimentDuration, GoalCounts, StoredGoal } from '../goals/stored-goal.ts'
import type { ExperimentMetric } from './experiment-schemas.ts'

/** A version as it is kept: what it has in place of the campaign's content. */
export interface StoredExperimentVersion {
  id: string
  /** Percent. */
  share: number
  subject?: string | null
  from?: NonNullable<AuthoredContent['headers']>['from']
  /** Parts of a mail or a text; of a rich message the whole content. */
  content?: Partial<Pick<AuthoredContent, 'html' | 'text' | 'amp' | 'textContent'>> | RcsMessageContent
}

/** An experiment as it is kept in the settings of a campaign. */
export interface StoredExperiment {
  versions: StoredExperimentVersion[]
  holdout: number
  metric: ExperimentMetric
  decideAfter: ExperimentDuration
  minimum: number
  decide: 'auto' | 'ask'
  /** Goal by which versions are compared with the held-out contacts. */
  goal?: StoredGoal
}

/** A version of a run: its id, its share in percent and the number of its frozen content. */
export interface RunExperimentVersion {
  id: string
  share: number
  version: number
}

/** An experiment of a run as the database has it. */
export interface RunExperiment {
  sending: number
  account: number
  action: number
  versions: RunExperimentVersion[]
  holdout: number
  metric: ExperimentMetric
  decide_after: StoredExperiment['decideAfter']
  minimum: number
  decide: 'auto' | 'ask'
  settled_at: Date | null
  decided_at: Date | null
  decision: { version: string; by: 'auto' | 'person'; isClear: boolean } | null
  ended_at: Date | null
  /** By the number of the version, once they are final. */
  counts: Readonly<Record<string, ConversionCounts>> | null
  counted_at: Date | null
  goal: StoredGoal | null
  /** Once it was counted for good. */
  goal_counts: GoalCounts | null
  goal_counted_at: Date | null
}
