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

/** What the service would refuse, or what would make the experiment idle, in the words of a text. */
export interface ExperimentObstacle {
  key: keyof typeof en
  isFault: boolean
  values?: Record<string, string | number>
}

/** Types of schedules that an experiment cannot be with: its versions leave together. */
export const isScheduleExcluded = (type: unknown): boolean => type === 'timeZoneSchedule' || type === 'bestTime'

function timeObstacle(
  channel: MessageChannelSpec,
  message: EditedMessage,
  experiment: ApiExperiment,
  net: number | undefined,
) {
  const at = channel.schedulerAt
  const [end, start, speed] = ['endDate', 'startDate', 'speed'].map((name) =>
    readPointerValue(message, `${at}/${name}`),
  )
  if (typeof end !== 'string') return null
  const begins = typeof start === 'string' ? Date.parse(start) : Date.now()
  const pace = typeof speed === 'number' && speed > 0 ? speed : null
  const people = ((net ?? 0) * (100 - experiment.holdout)) / 100
  const sendingMs = pace === null ? 0 : (people / pace) * EXPERIMENT_UNIT_MS.HOUR
  if (begins + sendingMs + experimentDurationMs(experiment.decideAfter) < Date.parse(end)) return null
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
  const length = experimentDurationMs(decideAfter)
  const rest = calculateRestShare(experiment)
  const time = timeObstacle(channel, message, experiment, net)
  const fewest = net === undefined ? null : Math.round((net * Math.min(...versions.map(({ share }) => share))) / 100)
  const found: (ExperimentObstacle | false)[] = [
    isScheduleExcluded(type) && { key: type === 'bestTime' ? 'notBestTime' : 'notByClocks', isFault: true },
    rest < 0 && { key: 'tooMuch', isFault: true, values: { share: 100 - rest } },
    (length < EXPERIMENT_UNIT_MS.HOUR || length > MAX_EXPERIMENT_MS) && { key: 'wrongTime', isFault: true },
    time !== null && { key: time, isFault: true },
    rest === 0 && { key: 'noRest', isFault: false },
    fewest !== null &&
      fewest > 0 &&
      fewest < minimum && { key: 'tooFew', isFault: false, values: { count: fewest, minimum } },
  ]
  return found.filter((one) => one !== false)
}
