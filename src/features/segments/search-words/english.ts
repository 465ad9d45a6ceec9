import type { ChannelRedListName } from '../../../channels/channel-traits.ts'
import type { EventChannel } from '../../events/kinds/event-kinds.ts'
import type { CriteriaTimeAmount, CriteriaTimeUnit } from '../criteria/criteria-types.ts'
import type { CriteriaLanguage, NamedBounceFlag, NamedComparand, NamedCountRange, NamedEvents } from './language.ts'

const numberFormat = new Intl.NumberFormat('en')

const operatorWords: Readonly<Record<string, string>> = {
  equals: 'is',
  notEquals: 'is not',
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  endsWith: 'ends with',
  greater: 'is greater than',
  greaterOrEqual: 'is at least',
  less: 'is less than',
  lessOrEqual: 'is at most',
  between: 'is',
  in: 'is one of',
  notIn: 'is none of',
  empty: 'is empty',
  notEmpty: 'is filled',
  before: 'is before',
  after: 'is on or after',
  within: 'is',
}

const redListNouns: Readonly<Record<ChannelRedListName, string>> = { mail: 'mails', sms: 'text messages' }

const channelPhrases: Readonly<Record<EventChannel, string>> = {
  email: 'by email',
  sms: 'by SMS',
  rcs: 'by RCS',
  notification: 'by push',
  display: 'in display',
}

const bounceFlagNouns: Readonly<Record<NamedBounceFlag, string>> = {
  validated: 'valid address',
  soft: 'soft bounce',
  hard: 'hard bounce',
  hardDomain: 'unknown domain',
  hardUser: 'unknown user',
  hardOther: 'other hard bounce',
  hardRules: 'refused by policy',
  reportAsSpam: 'spam complaint',
}

/** One and many of what events are. */
const eventNouns: Readonly<Record<NamedEvents, readonly [string, string]>> = {
  any: ['event', 'events'],
  execution: ['accepted message', 'accepted messages'],
  activation: ['message sent', 'messages sent'],
  cancellation: ['cancelled message', 'cancelled messages'],
  bounce: ['bounce', 'bounces'],
  hit: ['open or click', 'opens or clicks'],
  'hits/open': ['open', 'opens'],
  'hits/redirection': ['click', 'clicks'],
  'hits/unsubscribe': ['unsubscription', 'unsubscriptions'],
  'hits/mirror': ['view of the web version', 'views of the web version'],
  'hits/form': ['form submission', 'form submissions'],
  'hits/dismiss': ['dismissal', 'dismissals'],
  complaint: ['complaint', 'complaints'],
  reply: ['reply', 'replies'],
  'responses/stop': ['STOP reply', 'STOP replies'],
  'responses/other': ['other reply', 'other replies'],
  delivery: ['delivery', 'deliveries'],
  interaction: ['interaction', 'interactions'],
  'interactions/read': ['read receipt', 'read receipts'],
  'interactions/text': ['RCS text', 'RCS texts'],
  'interactions/file': ['RCS file', 'RCS files'],
  'interactions/location': ['RCS location', 'RCS locations'],
  'interactions/suggestion': ['tapped RCS suggestion', 'tapped RCS suggestions'],
  'interactions/redirection': ['RCS click', 'RCS clicks'],
  'interactions/subscribe': ['RCS subscription', 'RCS subscriptions'],
  'interactions/unsubscribe': ['RCS unsubscription', 'RCS unsubscriptions'],
  impression: ['display', 'displays'],
  optout: ['opt-out', 'opt-outs'],
}

function formatUnits({ value, unit }: CriteriaTimeAmount): string {
  return `${numberFormat.format(value)} ${unit}${value === 1 ? '' : 's'}`
}

function formatPeriod(word: string, { value, unit }: CriteriaTimeAmount): string {
  return value === 1 ? `in the ${word} ${unit}` : `in the ${word} ${numberFormat.format(value)} ${unit}s`
}

function formatDay(distance: number): string {
  if (distance === 0) return 'today'
  const amount: CriteriaTimeAmount = { value: Math.abs(distance), unit: 'day' satisfies CriteriaTimeUnit }
  return distance > 0 ? `${formatUnits(amount)} from now` : `${formatUnits(amount)} ago`
}

function formatSubject(compared: NamedComparand): string {
  if ('field' in compared) return compared.field
  return compared.own === 'creationDate' ? 'creation date' : 'date of last change'
}

function formatCount(
  { least, most, outside }: NamedCountRange,
  [singularNoun, many]: readonly [string, string],
): string {
  const noun = (count: number) => `${numberFormat.format(count)} ${count === 1 ? singularNoun : many}`
  if (outside)
    return most === least
      ? `any number of ${many} but ${numberFormat.format(least)}`
      : `less than ${noun(least)} or more than ${noun(most ?? least)}`
  if (most === undefined) return `at least ${noun(least)}`
  if (most === 0) return `no ${many}`
  if (most === least) return `exactly ${noun(least)}`
  return least === 0 ? `at most ${noun(most)}` : `${numberFormat.format(least)} to ${noun(most)}`
}

export const englishCriteriaLanguage: CriteriaLanguage = {
  locale: 'en',
  contacts: 'Contacts',
  every: 'Every contact',
  nobody: 'No contact',
  sentence: (clause, parent) =>
    `${clause}${parent === undefined ? '' : `, among the members of ${englishCriteriaLanguage.quoted(parent)}`}.`,
  quoted: (name) => `“${name}”`,
  and: ' and ',
  or: ' or ',
  not: (clause) => `who are not among those ${clause}`,
  list: (values, hiddenCount) =>
    `${values.join(', ')}${hiddenCount > 0 ? ` and ${numberFormat.format(hiddenCount)} more` : ''}`,
  comparison: (compared, operator, value) => {
    const isListField = 'isList' in compared && compared.isList
    const verb =
      isListField && operator === 'in'
        ? 'has one of'
        : isListField && operator === 'notIn'
          ? 'has none of'
          : operatorWords[operator]
    return `whose ${formatSubject(compared)} ${verb ?? operator}${value === '' ? '' : ` ${value}`}`
  },
  anniversary: (compared, { from, to }) =>
    from === to
      ? `whose ${formatSubject(compared)} has its anniversary ${formatDay(from)}`
      : `whose ${formatSubject(compared)} has its anniversary between ${formatDay(from)} and ${formatDay(to)}`,
  range: (from, to) => `between ${from} and ${to}`,
  ago: (amount) => `${formatUnits(amount)} ago`,
  ahead: (amount) => `${formatUnits(amount)} from now`,
  last: (amount) => formatPeriod('last', amount),
  next: (amount) => formatPeriod('next', amount),
  since: (date) => `on or after ${date}`,
  until: (date) => `before ${date}`,
  fromTo: (start, end) => `from ${start} until before ${end}`,
  segment: (name, isIn) => `who are ${isIn ? '' : 'not '}in the segment ${englishCriteriaLanguage.quoted(name)}`,
  redList: (channel) =>
    channel === 'any' ? 'who are on a suppression list' : `who are on the suppression list of ${redListNouns[channel]}`,
  bounce: (field, flags) =>
    `who have a bounce flag${flags ? ` (${flags.map((flag) => bounceFlagNouns[flag]).join(', ')})` : ''}${field === undefined ? '' : ` on ${field}`}${flags ? '' : ' that stops sends'}`,
  events: ({ kind, channel, actions, count, robots }, span) => {
    const countText = formatCount(count, eventNouns[kind])
    const channelText = channel === undefined ? '' : ` ${channelPhrases[channel]}`
    const actionsText = actions === undefined ? '' : ` of ${englishCriteriaLanguage.list(actions, 0)}`
    return `who had ${countText}${channelText}${actionsText}${span === '' ? '' : ` ${span}`}${robots ? ', machines counted' : ''}`
  },
  device: (application) =>
    `who have a device${application === undefined ? '' : ` of the application ${englishCriteriaLanguage.quoted(application)}`}`,
}
