import { valueAt } from '../../../components/form/pointers.ts'
import type { Channel, Message, ScheduleType } from '../write/channel.ts'
import type en from './en.ts'
import { type Experiment, experimentOf, LONGEST_MS, lengthOf, restOf, UNIT_MS } from './experiment.ts'

/** What the service would refuse, or what would make the experiment idle, in the words of a text. */
export interface Obstacle {
  key: keyof typeof en
  isFault: boolean
  values?: Record<string, string | number>
}

/** Types of schedules that an experiment cannot be with: its versions leave together. */
export const isExcluded = (type: unknown): boolean => type === 'timeZoneSchedule' || type === 'bestTime'

function timeObstacle(channel: Channel, message: Message, experiment: Experiment, net: number | undefined) {
  const at = channel.schedulerAt
  const [end, start, speed] = ['endDate', 'startDate', 'speed'].map((name) => valueAt(message, `${at}/${name}`))
  if (typeof end !== 'string') return null
  const begins = typeof start === 'string' ? Date.parse(start) : Date.now()
  const pace = typeof speed === 'number' && speed > 0 ? speed : null
  const people = ((net ?? 0) * (100 - experiment.holdout)) / 100
  const sendingMs = pace === null ? 0 : (people / pace) * UNIT_MS.HOUR
  if (begins + sendingMs + lengthOf(experiment.decideAfter) < Date.parse(end)) return null
  return sendingMs > 0 ? 'tooSlow' : 'endsBefore'
}

/** Why a message's experiment would be refused, or find nothing. `net`: how many people will get it, where that is known. */
export function obstaclesOf(channel: Channel, message: Message, net: number | undefined): Obstacle[] {
  const experiment = experimentOf(message)
  if (!experiment) return []
  const { versions, decideAfter, minimum } = experiment
  const type = valueAt(message, `${channel.schedulerAt}/type`) as ScheduleType
  const length = lengthOf(decideAfter)
  const rest = restOf(experiment)
  const time = timeObstacle(channel, message, experiment, net)
  const fewest = net === undefined ? null : Math.round((net * Math.min(...versions.map(({ share }) => share))) / 100)
  const found: (Obstacle | false)[] = [
    isExcluded(type) && { key: type === 'bestTime' ? 'notBestTime' : 'notByClocks', isFault: true },
    rest < 0 && { key: 'tooMuch', isFault: true, values: { share: 100 - rest } },
    (length < UNIT_MS.HOUR || length > LONGEST_MS) && { key: 'wrongTime', isFault: true },
    time !== null && { key: time, isFault: true },
    rest === 0 && { key: 'noRest', isFault: false },
    fewest !== null &&
      fewest > 0 &&
      fewest < minimum && { key: 'tooFew', isFault: false, values: { count: fewest, minimum } },
  ]
  return found.filter((one) => one !== false)
}
