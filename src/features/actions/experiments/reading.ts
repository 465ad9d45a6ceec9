import { type ChannelActionType, getActionChannel, getChannelTraits } from '../../../channels/channel-traits.ts'
import { findRcsContentFaults } from '../../../channels/rcs/content/content-faults.ts'
import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { SHARE_UNITS, toShareUnits } from '../../../lib/shares.ts'
import { DAY_MS, HOUR_MS, timeSpanLengthMs } from '../../../lib/time/spans.ts'
import { type ExperimentGoalInput, parseExperimentGoal } from '../goals/goal-reading.ts'
import type { StoredAction, StoredActionSettings } from '../resource/action-repository.ts'
import { isSenderDomain } from '../resource/parse-action-body.ts'
import { isCampaignType } from '../resource/states.ts'
import type { StoredExperiment, StoredExperimentVersion } from './stored.ts'

const EXPERIMENT_POINTER = '/settings/experiment'
/** Label of the held-out contacts in lists of contacts that reached a goal. */
const HELD_OUT_LABEL = 'holdout'
const MAX_DURATION_MS = 7 * DAY_MS

/** An experiment as it is given; what is absent has its default. */
export type ExperimentInput = Omit<StoredExperiment, 'holdout' | 'minimum' | 'decide' | 'decideAfter' | 'goal'> &
  Partial<Pick<StoredExperiment, 'holdout' | 'minimum' | 'decide'>> & {
    decideAfter: StoredExperiment['decideAfter'] & { type?: 'rolling' }
    goal?: ExperimentGoalInput | null
  }

const isHundredth = (percent: number): boolean => Math.abs(percent * 100 - toShareUnits(percent)) < 1e-6

function findVersionFaults(type: ChannelActionType, version: StoredExperimentVersion, at: string): ProblemFault[] {
  const faults: ProblemFault[] = []
  const defaultContent = getChannelTraits(getActionChannel(type)).newContent()
  if (!isHundredth(version.share)) faults.push({ pointer: `${at}/share`, detail: 'must have at most 2 decimals' })
  for (const member of ['subject', 'from'] as const) {
    const isAllowedMember = Object.hasOwn(defaultContent, member === 'from' ? 'headers' : member)
    if (version[member] !== undefined && !isAllowedMember)
      faults.push({ pointer: `${at}/${member}`, detail: `is not allowed for a ${type}` })
  }
  const domain = version.from?.domain
  if (domain != null && !isSenderDomain(domain))
    faults.push({ pointer: `${at}/from/domain`, detail: 'must be a domain name such as mail.shop.example' })
  if (!version.content) return faults
  if ('content' in defaultContent) {
    const rcsContent = version.content as Parameters<typeof findRcsContentFaults>[0]
    return [
      ...faults,
      ...findRcsContentFaults(rcsContent).map(({ pointer, detail }) => ({ pointer: `${at}${pointer}`, detail })),
    ]
  }
  const unknownMembers = Object.keys(version.content).filter((member) => !Object.hasOwn(defaultContent, member))
  return [
    ...faults,
    ...unknownMembers.map((member) => ({ pointer: `${at}/content/${member}`, detail: `is not allowed for a ${type}` })),
  ]
}

function findShapeFaults(
  type: ChannelActionType,
  { versions, holdout, metric, decideAfter, goal }: StoredExperiment,
): ProblemFault[] {
  const faults = versions.flatMap((version, index) =>
    findVersionFaults(type, version, `${EXPERIMENT_POINTER}/versions/${index}`),
  )
  versions.forEach(({ id }, index) => {
    if (versions.findIndex((otherVersion) => otherVersion.id === id) < index)
      faults.push({
        pointer: `${EXPERIMENT_POINTER}/versions/${index}/id`,
        detail: `"${id}" is already the id of another version`,
      })
  })
  if (goal)
    versions.forEach(({ id }, index) => {
      if (id === HELD_OUT_LABEL)
        faults.push({
          pointer: `${EXPERIMENT_POINTER}/versions/${index}/id`,
          detail: 'is reserved for the contacts held out',
        })
    })
  if (!isHundredth(holdout))
    faults.push({ pointer: `${EXPERIMENT_POINTER}/holdout`, detail: 'must have at most 2 decimals' })
  const total = versions.reduce((sum, { share }) => sum + toShareUnits(share), toShareUnits(holdout))
  if (total > SHARE_UNITS)
    faults.push({
      pointer: `${EXPERIMENT_POINTER}/versions`,
      detail: `shares and holdout add up to ${total / 100} %; at most 100 % is allowed`,
    })
  const durationMs = timeSpanLengthMs(decideAfter)
  if (durationMs < HOUR_MS || durationMs > MAX_DURATION_MS)
    faults.push({ pointer: `${EXPERIMENT_POINTER}/decideAfter`, detail: 'must be from 1 hour to 7 days' })
  if (metric === 'opens' && !canMeasureOpens(type))
    faults.push({
      pointer: `${EXPERIMENT_POINTER}/metric`,
      detail: `opens of a ${type} are not tracked; use clicks or a link`,
    })
  return faults
}

/** True if the channel reports that its messages were read. */
function canMeasureOpens(type: ChannelActionType): boolean {
  const { hitsAs, newContent } = getChannelTraits(getActionChannel(type))
  return hitsAs === 'interactions' || 'html' in newContent()
}

/** Settings with the experiment that a write leaves: replaced whole, null drops it. Adds what is wrong to `faults`. */
export function applyExperiment(
  settings: StoredActionSettings,
  experimentInput: ExperimentInput | null | undefined,
  type: ChannelActionType,
  faults: ProblemFault[],
): StoredActionSettings {
  if (experimentInput === undefined) return settings
  const { experiment: _, ...otherSettings } = settings
  if (experimentInput === null) return otherSettings
  if (!isCampaignType(type)) {
    faults.push({ pointer: EXPERIMENT_POINTER, detail: 'is for campaigns only' })
    return otherSettings
  }
  const { decideAfter, goal, ...storedMembers } = experimentInput
  const { unit, value } = decideAfter
  const experiment: StoredExperiment = {
    holdout: 0,
    minimum: 100,
    decide: 'auto',
    ...storedMembers,
    decideAfter: { unit, value },
    ...(goal && { goal: parseExperimentGoal(goal, faults) }),
  }
  faults.push(...findShapeFaults(type, experiment))
  return { ...otherSettings, experiment }
}

/** Conflicts between an experiment and the scheduler of its campaign. */
export function findSchedulerConflicts({
  settings,
  scheduler,
}: Pick<StoredAction, 'settings' | 'scheduler'>): ProblemFault[] {
  const { experiment } = settings
  if (!experiment || !scheduler) return []
  const { type, startDate, endDate } = scheduler
  if (type === 'timeZoneSchedule' || type === 'bestTime')
    return [
      {
        pointer: EXPERIMENT_POINTER,
        detail: `cannot be combined with scheduler.type ${type}: all versions are sent at once`,
      },
    ]
  if (startDate === null || endDate === null) return []
  if (Date.parse(startDate) + timeSpanLengthMs(experiment.decideAfter) < Date.parse(endDate)) return []
  return [
    {
      pointer: `${EXPERIMENT_POINTER}/decideAfter`,
      detail: 'ends after scheduler.endDate: nothing could be sent to the remaining contacts',
    },
  ]
}
