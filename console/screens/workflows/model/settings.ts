import type en from '../fields/en.ts'

export type NodeSettingLabel = keyof typeof en

/** Kinds of objects that can be chosen by name: objects of the account, or nodes of the workflow. */
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

/** Input type of a literal value. */
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

interface SettingBase {
  /** Pointer to the setting, relative to its parent. */
  at: string
  label: NodeSettingLabel
}
interface VariantOption {
  key: string
  settings: readonly NodeSetting[]
  blank: unknown
}

/** Input definition of a member of a node. */
export type NodeSetting = SettingBase &
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
    | { as: 'oneOf'; options: readonly VariantOption[] }
  )

/** The definitions of one input type. */
export type NodeSettingOf<As extends NodeSetting['as']> = Extract<NodeSetting, { as: As }>

export const namePointer = (name: string): string => `/${name}`
const buildLabel = (name: string): NodeSettingLabel => `set-${name.replaceAll(/\W/g, '-')}` as NodeSettingLabel
const buildSettingBase = (name: string): SettingBase => ({
  at: namePointer(name),
  label: buildLabel(name.split('/').at(-1) ?? name),
})

type PlainSettingType = Exclude<
  NodeSetting['as'],
  'number' | 'choice' | 'choices' | 'pick' | 'picks' | 'list' | 'oneOf' | 'shaped' | 'group'
>

export const plainSettings = (as: PlainSettingType, ...names: string[]): NodeSetting[] =>
  names.map((name) => ({ ...buildSettingBase(name), as }) as NodeSetting)
export const numberSetting = (name: string, unit?: string): NodeSetting => ({
  ...buildSettingBase(name),
  as: 'number',
  ...(unit && { unit }),
})
export const choiceSetting = (name: string, ...choices: string[]): NodeSetting => ({
  ...buildSettingBase(name),
  as: 'choice',
  choices,
})
export const multiChoiceSetting = (name: string, ...choiceValues: (string | number)[]): NodeSetting => ({
  ...buildSettingBase(name),
  as: 'choices',
  choices: choiceValues,
})
export const shapedSettings = (shape: LiteralShape, ...names: string[]): NodeSetting[] =>
  names.map((name) => ({ ...buildSettingBase(name), as: 'shaped', shape }))
export const groupSetting = (name: string, settings: readonly NodeSetting[]): NodeSetting => ({
  at: '',
  label: `group-${name}` as NodeSettingLabel,
  as: 'group',
  settings,
})
export const pickSetting = (name: string, of: ObjectPickKind): NodeSetting => ({
  ...buildSettingBase(name),
  as: 'pick',
  of,
})
export const multiPickSetting = (name: string, of: ObjectPickKind): NodeSetting => ({
  ...buildSettingBase(name),
  as: 'picks',
  of,
})
export const listSetting = (
  name: string,
  fresh: Record<string, unknown>,
  items: readonly NodeSetting[],
  isBig = false,
): NodeSetting => ({
  ...buildSettingBase(name),
  as: 'list',
  items,
  fresh,
  isBig,
})
export const variantSetting = (
  name: string,
  options: Readonly<Record<string, readonly [readonly NodeSetting[], unknown]>>,
): NodeSetting => ({
  at: '',
  label: buildLabel(name),
  as: 'oneOf',
  options: Object.entries(options).map(([key, [settings, blank]]) => ({ key, settings, blank })),
})

export const ROLLING_DAY = { type: 'rolling', unit: 'DAY', value: 1 }
export const WORKDAY_SLOT = { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7]

export const timeSlotsSetting = listSetting(
  'slots',
  WORKDAY_SLOT,
  [multiChoiceSetting('days', ...WEEKDAYS), ...plainSettings('time', 'from', 'to')],
  true,
)
export const slotTimeSettings: readonly NodeSetting[] = [
  numberSetting('slot/hour'),
  numberSetting('slot/minute'),
  multiChoiceSetting('slot/daysOfWeek', ...WEEKDAYS),
  ...plainSettings('zone', 'slot/timeZone'),
]
