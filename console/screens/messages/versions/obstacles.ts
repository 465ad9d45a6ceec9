import { readPointerValue } from '../../../components/form/pointers.ts'
import type { EditedMessage, MessageChannelSpec, MessageScheduleType } from '../write/channel.ts'
import type en from './en.ts'
import {
  type ApiExperiment,
  calculateRestShare,
  EXPERIMENT_UNIT_MS,
  experimentDurationMs,
  findMessageExperiment,
  MAX_EXPERIMENT_MS,
} from './experiment.ts'

/** A condition that the service would refuse, or that makes the experiment ineffective, with the key of its text. */
export interface ExperimentObstacle {
  key: keyof typeof en
  isFault: boolean
  values?: Record<string, string | number>
}

/** Types of schedules that an experiment cannot be with: its versions leave together. */
export const isScheduleExcluded = (type: unknown): boolean => type === 'timeZoneSchedule' || type === 'bestTime'

function findTimeObstacle(
  channel: MessageChannelSpec,
  message: EditedMessage,
  experiment: ApiExperiment,
  net: number | undefined,
) {
  const schedulerPointer = channel.schedulerAt
  const [endDate, start, sendingSpeed] = ['endDate', 'startDate', 'speed'].map((name) =>
    readPointerValue(message, `${schedulerPointer}/${name}`),
  )
  if (typeof endDate !== 'string') return null
  const startsAtMs = typeof start === 'string' ? Date.parse(start) : Date.now()
  const hourlyPace = typeof sendingSpeed === 'number' && sendingSpeed > 0 ? sendingSpeed : null
  const experimentRecipients = ((net ?? 0) * (100 - experiment.holdout)) / 100
  const sendingMs = hourlyPace === null ? 0 : (experimentRecipients / hourlyPace) * EXPERIMENT_UNIT_MS.HOUR
  if (startsAtMs + sendingMs + experimentDurationMs(experiment.decideAfter) < Date.parse(endDate)) return null
  return sendingMs > 0 ? 'tooSlow' : 'endsBefore'
}

/** Why a message's experiment would be refused, or find nothing. `net`: how many people will get it, where that is known. */
export function findExperimentObstacles(
  channel: MessageChannelSpec,
  message: EditedMessage,
  net: number | undefined,
): ExperimentObstacle[] {
  const experiment = findMessageExperiment(message)
  if (!experiment) return []
  const { versions, decideAfter, minimum } = experiment
  const type = readPointerValue(message, `${channel.schedulerAt}/type`) as MessageScheduleType
  const durationMs = experimentDurationMs(decideAfter)
  const restShare = calculateRestShare(experiment)
  const scheduleObstacle = findTimeObstacle(channel, message, experiment, net)
  const smallestGroup =
    net === undefined ? null : Math.round((net * Math.min(...versions.map(({ share }) => share))) / 100)
  const candidateObstacles: (ExperimentObstacle | false)[] = [
    isScheduleExcluded(type) && { key: type === 'bestTime' ? 'notBestTime' : 'notByClocks', isFault: true },
    restShare < 0 && { key: 'tooMuch', isFault: true, values: { share: 100 - restShare } },
    (durationMs < EXPERIMENT_UNIT_MS.HOUR || durationMs > MAX_EXPERIMENT_MS) && { key: 'wrongTime', isFault: true },
    scheduleObstacle !== null && { key: scheduleObstacle, isFault: true },
    restShare === 0 && { key: 'noRest', isFault: false },
    smallestGroup !== null &&
      smallestGroup > 0 &&
      smallestGroup < minimum && { key: 'tooFew', isFault: false, values: { count: smallestGroup, minimum } },
  ]
  return candidateObstacles.filter((candidate) => candidate !== false)
}
