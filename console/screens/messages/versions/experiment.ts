import type { ApiAnswer } from '../../../api/shapes.ts'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import type { EditedMessage, MessageChannelSpec, VersionOwnContent } from '../write/channel.ts'

/** An experiment as documents of campaigns have it. */
export type ApiExperiment = NonNullable<ApiAnswer<'getAction'>['settings']['experiment']>
export type ApiExperimentVersion = ApiExperiment['versions'][number]

export const EXPERIMENT_POINTER = '/settings/experiment'
export const MAX_EXPERIMENT_VERSIONS = 5
export const MIN_EXPERIMENT_VERSIONS = 2
const VERSION_IDS = 'abcdefghijklmnopqrstuvwxyz'
const INITIAL_SHARE = 10
const HUNDREDTHS_PER_PERCENT = 100

const HOUR_MS = 3_600_000
export const EXPERIMENT_UNIT_MS = { MINUTE: 60_000, HOUR: HOUR_MS, DAY: 24 * HOUR_MS, WEEK: 7 * 24 * HOUR_MS } as const
export const MAX_EXPERIMENT_MS = EXPERIMENT_UNIT_MS.WEEK

/** Campaigns of channels whose content may have versions. */
export const hasContentVersions = (channel: MessageChannelSpec, message: EditedMessage): boolean =>
  channel.versions !== undefined && channel.isCampaign(message)

export const findMessageExperiment = (message: EditedMessage): ApiExperiment | null =>
  (readPointerValue(message, EXPERIMENT_POINTER) as ApiExperiment | null | undefined) ?? null

/** Creates a new experiment: two versions that do not differ from the campaign yet. */
export const createExperiment = (): ApiExperiment => ({
  versions: [
    { id: 'a', share: INITIAL_SHARE },
    { id: 'b', share: INITIAL_SHARE },
  ],
  holdout: 0,
  metric: 'clicks',
  decideAfter: { unit: 'HOUR', value: 4 },
  minimum: 100,
  decide: 'auto',
})

/** One version more, with the first letter that is free. */
export function addExperimentVersion(versions: readonly ApiExperimentVersion[]): ApiExperimentVersion[] {
  const id =
    [...VERSION_IDS].find((letter) => !versions.some((candidate) => candidate.id === letter)) ?? VERSION_IDS[0]!
  return [...versions, { id, share: INITIAL_SHARE }]
}

/** Percentages are counted in hundredths, so that sums are exact. */
const toHundredths = (percent: number): number => Math.round(percent * HUNDREDTHS_PER_PERCENT)

/** Remaining share in percent; negative if more than the whole audience is assigned. */
export const calculateRestShare = ({ versions, holdout }: Pick<ApiExperiment, 'versions' | 'holdout'>): number =>
  (100 * HUNDREDTHS_PER_PERCENT -
    versions.reduce((sum, { share }) => sum + toHundredths(share ?? 0), toHundredths(holdout ?? 0))) /
  HUNDREDTHS_PER_PERCENT

export const experimentDurationMs = ({ unit, value }: ApiExperiment['decideAfter']): number =>
  EXPERIMENT_UNIT_MS[unit] * (value ?? 0)

/** Content of a version: everything except its id and share. */
export const versionOwnContent = ({ id: _, share: __, ...ownContent }: ApiExperimentVersion): VersionOwnContent =>
  ownContent

/** The message as a version of it says; itself where there is no such version. */
export function applyMessageVersion(channel: MessageChannelSpec, message: EditedMessage, index: number): EditedMessage {
  const version = findMessageExperiment(message)?.versions[index]
  return version && channel.versions ? channel.versions.of(message, versionOwnContent(version)) : message
}

/** The form of a message, as one of its versions is written in: what is changed goes into the version. */
export function createVersionForm(
  channel: MessageChannelSpec,
  form: FormState<EditedMessage>,
  index: number,
): FormState<EditedMessage> {
  const versionPointer = `${EXPERIMENT_POINTER}/versions/${index}`
  const versionKind = channel.versions!
  return {
    ...form,
    value: applyMessageVersion(channel, form.value, index),
    set: (pointer, value) => {
      const version = findMessageExperiment(form.value)!.versions[index]!
      const changedContent = versionKind.with(
        applyMessageVersion(channel, form.value, index),
        versionOwnContent(version),
        {
          pointer,
          value,
        },
      )
      if (changedContent) form.set(versionPointer, { id: version.id, share: version.share, ...changedContent })
    },
    faultAt: (pointer) => form.faultAt(`${versionPointer}${versionKind.faultAt(pointer)}`),
  }
}

/** Pointers that the fields of the settings of an experiment stand at. */
export const EXPERIMENT_FIELD_POINTERS = [
  'decideAfter/value',
  'decideAfter/unit',
  'decide',
  'minimum',
  'holdout',
  'metric',
  'goal/within/value',
  'goal/within/unit',
].map((member) => `${EXPERIMENT_POINTER}/${member}`)
