import type en from '../fields/en.ts'

export type NodeSettingLabel = keyof typeof en

/** What can be chosen by name: objects of the account, or nodes of the workflow. */
export type ObjectPickKind =
  | 'mailMessage'
  | 'smsMessage'
  | 'rcsMessage'
  | 'rcsAction'
  | 'action'
  | 'notification'
  | 'segment'
  | 'staticSegment'
  | 'field'
  | 'webtask'
  | 'compilable'
  | 'application'
  | 'import'
  | 'node'

/** How a given value is written. */
export type LiteralShape =
  | 'json'
  | 'truth'
  | 'picture'
  | 'contact'
  | 'headers'
  | 'mailContent'
  | 'smsContent'
  | 'attachments'
  | 'copies'
  | 'fallback'
  | 'expiration'

interface Common {
  /** Where it stands, below what it is a setting of. */
  at: string
  label: NodeSettingLabel
}
interface Option {
  key: string
  settings: readonly NodeSetting[]
  blank: unknown
}

/** How a member of a definition is written. */
export type NodeSetting = Common &
  (
    | { as: 'text' | 'expression' | 'condition' | 'json' | 'code' | 'period' | 'timeout' | 'since' | 'zone' | 'event' }
    | { as: 'criteria' | 'switch' | 'time' | 'moment' | 'texts' | 'values' | 'fields' | 'ways' | 'scalar' }
    | { as: 'number'; unit?: string }
    /** An expression whose given value is no text. */
    | { as: 'shaped'; shape: LiteralShape }
    /** Some that are folded away while none of them is set. */
    | { as: 'group'; settings: readonly NodeSetting[] }
    | { as: 'choice'; choices: readonly string[] }
    | { as: 'choices'; choices: readonly (string | number)[] }
    | { as: 'pick' | 'picks'; of: ObjectPickKind }
    | { as: 'list'; items: readonly NodeSetting[]; fresh: Record<string, unknown>; isBig?: boolean }
    /** One member of several: which are there is which was chosen. */
    | { as: 'oneOf'; options: readonly Option[] }
  )

export const namePointer = (name: string): string => `/${name}`
const labelOf = (name: string): NodeSettingLabel => `set-${name.replaceAll(/\W/g, '-')}` as NodeSettingLabel
const common = (name: string): Common => ({ at: namePointer(name), label: labelOf(name.split('/').at(-1) ?? name) })

type Plain = Exclude<
  NodeSetting['as'],
  'number' | 'choice' | 'choices' | 'pick' | 'picks' | 'list' | 'oneOf' | 'shaped' | 'group'
>

export const plainSettings = (as: Plain, ...names: string[]): NodeSetting[] =>
  names.map((name) => ({ ...common(name), as }) as NodeSetting)
export const numberSetting = (name: string, unit?: string): NodeSetting => ({
  ...common(name),
  as: 'number',
  ...(unit && { unit }),
})
export const choiceSetting = (name: string, ...choices: string[]): NodeSetting => ({
  ...common(name),
  as: 'choice',
  choices,
})
export const multiChoiceSetting = (name: string, ...all: (string | number)[]): NodeSetting => ({
  ...common(name),
  as: 'choices',
  choices: all,
})
export const shapedSettings = (shape: LiteralShape, ...names: string[]): NodeSetting[] =>
  names.map((name) => ({ ...common(name), as: 'shaped', shape }))
export const groupSetting = (name: string, settings: readonly NodeSetting[]): NodeSetting => ({
  ...{ at: '', label: `group-${name}` as NodeSettingLabel, as: 'group', settings },
})
export const pickSetting = (name: string, of: ObjectPickKind): NodeSetting => ({ ...common(name), as: 'pick', of })
export const multiPickSetting = (name: string, of: ObjectPickKind): NodeSetting => ({
  ...common(name),
  as: 'picks',
  of,
})
export const listSetting = (
  name: string,
  fresh: Record<string, unknown>,
  items: readonly NodeSetting[],
  isBig = false,
): NodeSetting => ({
  ...{ ...common(name), as: 'list', items, fresh, isBig },
})
export const variantSetting = (
  name: string,
  options: Readonly<Record<string, readonly [readonly NodeSetting[], unknown]>>,
): NodeSetting => ({
  ...{ at: '', label: labelOf(name), as: 'oneOf' },
  options: Object.entries(options).map(([key, [settings, blank]]) => ({ key, settings, blank })),
})

export const ROLLING_DAY = { type: 'rolling', unit: 'DAY', value: 1 }
export const WORKDAY_SLOT = { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }
const WEEK = [1, 2, 3, 4, 5, 6, 7]

export const timeSlotsSetting = listSetting(
  'slots',
  WORKDAY_SLOT,
  [multiChoiceSetting('days', ...WEEK), ...plainSettings('time', 'from', 'to')],
  true,
)
export const slotTimeSettings: readonly NodeSetting[] = [
  ...[numberSetting('slot/hour'), numberSetting('slot/minute'), multiChoiceSetting('slot/daysOfWeek', ...WEEK)],
  ...plainSettings('zone', 'slot/timeZone'),
]
