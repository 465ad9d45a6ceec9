import type { Answer } from '../../../api/shapes.ts'
import { valueAt } from '../../../components/form/pointers.ts'
import type { Form } from '../../../components/form/use-form.ts'
import type { Channel, Message, OwnContent } from '../write/channel.ts'

/** An experiment as documents of campaigns have it. */
export type Experiment = NonNullable<Answer<'/actions/{id}', 'get'>['settings']['experiment']>
export type Version = Experiment['versions'][number]

export const EXPERIMENT_AT = '/settings/experiment'
export const MOST_VERSIONS = 5
export const LEAST_VERSIONS = 2
const IDS = 'abcdefghijklmnopqrstuvwxyz'
const FIRST_SHARE = 10
const HUNDREDTHS = 100

const HOUR_MS = 3_600_000
export const UNIT_MS = { MINUTE: 60_000, HOUR: HOUR_MS, DAY: 24 * HOUR_MS, WEEK: 7 * 24 * HOUR_MS } as const
export const LONGEST_MS = UNIT_MS.WEEK

/** Campaigns of channels whose content may have versions. */
export const hasVersions = (channel: Channel, message: Message): boolean =>
  channel.versions !== undefined && channel.isCampaign(message)

export const experimentOf = (message: Message): Experiment | null =>
  (valueAt(message, EXPERIMENT_AT) as Experiment | null | undefined) ?? null

/** What a new experiment begins with: two versions, of which neither differs from the campaign yet. */
export const newExperiment = (): Experiment => ({
  versions: [
    { id: 'a', share: FIRST_SHARE },
    { id: 'b', share: FIRST_SHARE },
  ],
  ...{ holdout: 0, metric: 'clicks', decideAfter: { unit: 'HOUR', value: 4 }, minimum: 100, decide: 'auto' },
})

/** One version more, with the first letter that is free. */
export function withVersion(versions: readonly Version[]): Version[] {
  const id = [...IDS].find((letter) => !versions.some((one) => one.id === letter)) ?? IDS[0]!
  return [...versions, { id, share: FIRST_SHARE }]
}

/** Percentages are counted in hundredths, so that sums are exact. */
const inHundredths = (percent: number): number => Math.round(percent * HUNDREDTHS)

/** What is left for the rest, in percent; below zero: more than all is shared out. */
export const restOf = ({ versions, holdout }: Pick<Experiment, 'versions' | 'holdout'>): number =>
  (100 * HUNDREDTHS - versions.reduce((sum, { share }) => sum + inHundredths(share ?? 0), inHundredths(holdout ?? 0))) /
  HUNDREDTHS

export const lengthOf = ({ unit, value }: Experiment['decideAfter']): number => UNIT_MS[unit] * (value ?? 0)

/** What a version has of its own: all but its name and share. */
export const ownOf = ({ id: _, share: __, ...own }: Version): OwnContent => own

/** The message as a version of it says; itself where there is no such version. */
export function messageOf(channel: Channel, message: Message, index: number): Message {
  const version = experimentOf(message)?.versions[index]
  return version && channel.versions ? channel.versions.of(message, ownOf(version)) : message
}

/** The form of a message, as one of its versions is written in: what is changed goes into the version. */
export function versionForm(channel: Channel, form: Form<Message>, index: number): Form<Message> {
  const at = `${EXPERIMENT_AT}/versions/${index}`
  const kind = channel.versions!
  return {
    ...form,
    value: messageOf(channel, form.value, index),
    set: (pointer, value) => {
      const version = experimentOf(form.value)!.versions[index]!
      const own = kind.with(messageOf(channel, form.value, index), ownOf(version), { pointer, value })
      if (own) form.set(at, { id: version.id, share: version.share, ...own })
    },
    faultAt: (pointer) => form.faultAt(`${at}${kind.faultAt(pointer)}`),
  }
}

/** Pointers that the fields of the settings of an experiment stand at. */
export const EXPERIMENT_POINTERS = [
  'decideAfter/value',
  'decideAfter/unit',
  'decide',
  'minimum',
  'holdout',
  'metric',
  'goal/within/value',
  'goal/within/unit',
].map((member) => `${EXPERIMENT_AT}/${member}`)
