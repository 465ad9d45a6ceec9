import { type ChannelActionType, getActionChannel, getChannelTraits } from '../../../channels/facts.ts'
import { findRcsContentFaults } from '../../../channels/rcs/content/content-faults.ts'
import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { SHARE_UNITS, toShareUnits } from '../../../lib/shares.ts'
import { DAY_MS, HOUR_MS, timeSpanLengthMs } from '../../../lib/time/spans.ts'
import { type ExperimentGoalInput, parseExperimentGoal } from '../goals/goal-reading.ts'
import type { StoredAction, StoredActionSettings } from '../resource/action-repository.ts'
import { isSenderDomain } from '../resource/parse-action-body.ts'
import { isCampaignType } from '../resource/states.ts'
import type { StoredExperiment, StoredExperimentVersion } from './stored.ts'

const AT = '/settings/experiment'
/** How lists of who reached a goal name those held out. */
const HELD_OUT = 'holdout'
const LONGEST_MS = 7 * DAY_MS

/** An experiment as it is given; what is absent has its default. */
export type ExperimentInput = Omit<StoredExperiment, 'holdout' | 'minimum' | 'decide' | 'decideAfter' | 'goal'> &
  Partial<Pick<StoredExperiment, 'holdout' | 'minimum' | 'decide'>> & {
    decideAfter: StoredExperiment['decideAfter'] & { type?: 'rolling' }
    goal?: ExperimentGoalInput | null
  }

const isInHundredths = (percent: number): boolean => Math.abs(percent * 100 - toShareUnits(percent)) < 1e-6

function versionFaults(type: ChannelActionType, version: StoredExperimentVersion, at: string): ProblemFault[] {
  const faults: ProblemFault[] = []
  const own = getChannelTraits(getActionChannel(type)).newContent()
  if (!isInHundredths(version.share)) faults.push({ pointer: `${at}/share`, detail: 'must have at most 2 decimals' })
  for (const member of ['subject', 'from'] as const) {
    const isKnown = Object.hasOwn(own, member === 'from' ? 'headers' : member)
    if (version[member] !== undefined && !isKnown)
      faults.push({ pointer: `${at}/${member}`, detail: `is not of a ${type}` })
  }
  const domain = version.from?.domain
  if (domain != null && !isSenderDomain(domain))
    faults.push({ pointer: `${at}/from/domain`, detail: 'must be a domain name such as mail.shop.example' })
  if (!version.content) return faults
  if ('content' in own) {
    const given = version.content as Parameters<typeof findRcsContentFaults>[0]
    return [
      ...faults,
      ...findRcsContentFaults(given).map(({ pointer, detail }) => ({ pointer: `${at}${pointer}`, detail })),
    ]
  }
  const strange = Object.keys(version.content).filter((member) => !Object.hasOwn(own, member))
  return [
    ...faults,
    ...strange.map((member) => ({ pointer: `${at}/content/${member}`, detail: `is not of a ${type}` })),
  ]
}

function shapeFaults(
  type: ChannelActionType,
  { versions, holdout, metric, decideAfter, goal }: StoredExperiment,
): ProblemFault[] {
  const faults = versions.flatMap((version, index) => versionFaults(type, version, `${AT}/versions/${index}`))
  versions.forEach(({ id }, index) => {
    if (versions.findIndex((other) => other.id === id) < index)
      faults.push({ pointer: `${AT}/versions/${index}/id`, detail: `"${id}" is the id of another version` })
  })
  if (goal)
    versions.forEach(({ id }, index) => {
      if (id === HELD_OUT)
        faults.push({ pointer: `${AT}/versions/${index}/id`, detail: 'is what those held out are named' })
    })
  if (!isInHundredths(holdout)) faults.push({ pointer: `${AT}/holdout`, detail: 'must have at most 2 decimals' })
  const total = versions.reduce((sum, { share }) => sum + toShareUnits(share), toShareUnits(holdout))
  if (total > SHARE_UNITS)
    faults.push({ pointer: `${AT}/versions`, detail: `shares and holdout are ${total / 100} % together; 100 % is all` })
  const length = timeSpanLengthMs(decideAfter)
  if (length < HOUR_MS || length > LONGEST_MS)
    faults.push({ pointer: `${AT}/decideAfter`, detail: 'must be from 1 hour to 7 days' })
  if (metric === 'opens' && !canTellOpens(type))
    faults.push({ pointer: `${AT}/metric`, detail: `opens of a ${type} are not known: take clicks, or a link` })
  return faults
}

/** Whether a channel hears that its messages are read. */
function canTellOpens(type: ChannelActionType): boolean {
  const { hitsAs, newContent } = getChannelTraits(getActionChannel(type))
  return hitsAs === 'interactions' || 'html' in newContent()
}

/** Settings with the experiment that a write leaves: replaced whole, null drops it. Adds what is wrong to `faults`. */
export function applyExperiment(
  settings: StoredActionSettings,
  given: ExperimentInput | null | undefined,
  type: ChannelActionType,
  faults: ProblemFault[],
): StoredActionSettings {
  if (given === undefined) return settings
  const { experiment: _, ...others } = settings
  if (given === null) return others
  if (!isCampaignType(type)) {
    faults.push({ pointer: AT, detail: 'is for campaigns only' })
    return others
  }
  const { decideAfter, goal, ...same } = given
  const { unit, value } = decideAfter
  const experiment: StoredExperiment = {
    ...{ holdout: 0, minimum: 100, decide: 'auto' },
    ...same,
    decideAfter: { unit, value },
    ...(goal && { goal: parseExperimentGoal(goal, faults) }),
  }
  faults.push(...shapeFaults(type, experiment))
  return { ...others, experiment }
}

/** What speaks against an experiment with the scheduler of its campaign. */
export function findSchedulerConflicts({
  settings,
  scheduler,
}: Pick<StoredAction, 'settings' | 'scheduler'>): ProblemFault[] {
  const { experiment } = settings
  if (!experiment || !scheduler) return []
  const { type, startDate, endDate } = scheduler
  if (type === 'timeZoneSchedule' || type === 'bestTime')
    return [{ pointer: AT, detail: `cannot be with scheduler.type ${type}: its versions leave at once` }]
  if (startDate === null || endDate === null) return []
  if (Date.parse(startDate) + timeSpanLengthMs(experiment.decideAfter) < Date.parse(endDate)) return []
  return [{ pointer: `${AT}/decideAfter`, detail: 'ends after scheduler.endDate: nothing could be sent to the rest' }]
}
