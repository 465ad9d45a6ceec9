import type en from '../fields/en.ts'

export type Label = keyof typeof en

/** What can be chosen by name: objects of the account, or nodes of the workflow. */
export type Pick =
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
export type Shape =
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
  label: Label
}
interface Option {
  key: string
  settings: readonly Setting[]
  blank: unknown
}

/** How a member of a definition is written. */
export type Setting = Common &
  (
    | { as: 'text' | 'expression' | 'condition' | 'json' | 'code' | 'period' | 'timeout' | 'since' | 'zone' | 'event' }
    | { as: 'criteria' | 'switch' | 'time' | 'moment' | 'texts' | 'values' | 'fields' | 'ways' | 'scalar' }
    | { as: 'number'; unit?: string }
    /** An expression whose given value is no text. */
    | { as: 'shaped'; shape: Shape }
    /** Some that are folded away while none of them is set. */
    | { as: 'group'; settings: readonly Setting[] }
    | { as: 'choice'; choices: readonly string[] }
    | { as: 'choices'; choices: readonly (string | number)[] }
    | { as: 'pick' | 'picks'; of: Pick }
    | { as: 'list'; items: readonly Setting[]; fresh: Record<string, unknown>; isBig?: boolean }
    /** One member of several: which are there is which was chosen. */
    | { as: 'oneOf'; options: readonly Option[] }
  )

export const at = (name: string): string => `/${name}`
const labelOf = (name: string): Label => `set-${name.replaceAll(/\W/g, '-')}` as Label
const common = (name: string): Common => ({ at: at(name), label: labelOf(name.split('/').at(-1) ?? name) })

type Plain = Exclude<
  Setting['as'],
  'number' | 'choice' | 'choices' | 'pick' | 'picks' | 'list' | 'oneOf' | 'shaped' | 'group'
>

export const plain = (as: Plain, ...names: string[]): Setting[] =>
  names.map((name) => ({ ...common(name), as }) as Setting)
export const number = (name: string, unit?: string): Setting => ({
  ...common(name),
  as: 'number',
  ...(unit && { unit }),
})
export const choice = (name: string, ...choices: string[]): Setting => ({ ...common(name), as: 'choice', choices })
export const choices = (name: string, ...all: (string | number)[]): Setting => ({
  ...common(name),
  as: 'choices',
  choices: all,
})
export const shaped = (shape: Shape, ...names: string[]): Setting[] =>
  names.map((name) => ({ ...common(name), as: 'shaped', shape }))
export const group = (name: string, settings: readonly Setting[]): Setting => ({
  ...{ at: '', label: `group-${name}` as Label, as: 'group', settings },
})
export const pick = (name: string, of: Pick): Setting => ({ ...common(name), as: 'pick', of })
export const picks = (name: string, of: Pick): Setting => ({ ...common(name), as: 'picks', of })
export const list = (
  name: string,
  fresh: Record<string, unknown>,
  items: readonly Setting[],
  isBig = false,
): Setting => ({
  ...{ ...common(name), as: 'list', items, fresh, isBig },
})
export const oneOf = (
  name: string,
  options: Readonly<Record<string, readonly [readonly Setting[], unknown]>>,
): Setting => ({
  ...{ at: '', label: labelOf(name), as: 'oneOf' },
  options: Object.entries(options).map(([key, [settings, blank]]) => ({ key, settings, blank })),
})

export const DAY = { type: 'rolling', unit: 'DAY', value: 1 }
export const WORKDAYS = { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }
const WEEK = [1, 2, 3, 4, 5, 6, 7]

export const slots = list('slots', WORKDAYS, [choices('days', ...WEEK), ...plain('time', 'from', 'to')], true)
export const slotTimes: readonly Setting[] = [
  ...[number('slot/hour'), number('slot/minute'), choices('slot/daysOfWeek', ...WEEK)],
  ...plain('zone', 'slot/timeZone'),
]
