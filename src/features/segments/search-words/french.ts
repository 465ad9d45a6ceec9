import type { ChannelRedListName } from '../../../channels/channel-traits.ts'
import type { EventChannel } from '../../events/kinds/event-kinds.ts'
import type { CriteriaTimeAmount, CriteriaTimeUnit } from '../criteria/criteria-types.ts'
import type { CriteriaLanguage, NamedBounceFlag, NamedComparand, NamedCountRange, NamedEvents } from './language.ts'

const numberFormat = new Intl.NumberFormat('fr')

const operatorWords: Readonly<Record<string, string>> = {
  equals: 'est',
  notEquals: 'n’est pas',
  contains: 'contient',
  notContains: 'ne contient pas',
  startsWith: 'commence par',
  endsWith: 'se termine par',
  greater: 'est supérieur à',
  greaterOrEqual: 'est au moins',
  less: 'est inférieur à',
  lessOrEqual: 'est au plus',
  between: 'est',
  in: 'est parmi',
  notIn: 'n’est pas parmi',
  empty: 'est vide',
  notEmpty: 'est renseigné',
  before: 'est avant',
  after: 'est à partir de',
  within: 'est',
}

const redListNouns: Readonly<Record<ChannelRedListName, string>> = { mail: 'des e-mails', sms: 'des SMS' }

const channelPhrases: Readonly<Record<EventChannel, string>> = {
  email: 'par e-mail',
  sms: 'par SMS',
  rcs: 'par RCS',
  notification: 'par notification push',
  display: 'en display',
}

const bounceFlagNouns: Readonly<Record<NamedBounceFlag, string>> = {
  validated: 'adresse valide',
  soft: 'rebond temporaire',
  hard: 'rebond définitif',
  hardDomain: 'domaine inconnu',
  hardUser: 'utilisateur inconnu',
  hardOther: 'autre rebond définitif',
  hardRules: 'refus par une règle',
  reportAsSpam: 'plainte pour spam',
}

type Gender = 'm' | 'f'

/** One, many, and the gender of what events are. */
const eventNouns: Readonly<Record<NamedEvents, readonly [string, string, Gender]>> = {
  any: ['événement', 'événements', 'm'],
  execution: ['message accepté', 'messages acceptés', 'm'],
  activation: ['message envoyé', 'messages envoyés', 'm'],
  cancellation: ['message annulé', 'messages annulés', 'm'],
  bounce: ['rebond', 'rebonds', 'm'],
  hit: ['ouverture ou clic', 'ouvertures ou clics', 'f'],
  'hits/open': ['ouverture', 'ouvertures', 'f'],
  'hits/redirection': ['clic', 'clics', 'm'],
  'hits/unsubscribe': ['désabonnement', 'désabonnements', 'm'],
  'hits/mirror': ['affichage de la version web', 'affichages de la version web', 'm'],
  'hits/form': ['envoi de formulaire', 'envois de formulaire', 'm'],
  'hits/dismiss': ['rejet', 'rejets', 'm'],
  complaint: ['plainte', 'plaintes', 'f'],
  reply: ['réponse', 'réponses', 'f'],
  'responses/stop': ['réponse STOP', 'réponses STOP', 'f'],
  'responses/other': ['autre réponse', 'autres réponses', 'f'],
  delivery: ['remise', 'remises', 'f'],
  interaction: ['interaction', 'interactions', 'f'],
  'interactions/read': ['accusé de lecture', 'accusés de lecture', 'm'],
  'interactions/text': ['texte RCS', 'textes RCS', 'm'],
  'interactions/file': ['fichier RCS', 'fichiers RCS', 'm'],
  'interactions/location': ['position RCS', 'positions RCS', 'f'],
  'interactions/suggestion': ['suggestion RCS touchée', 'suggestions RCS touchées', 'f'],
  'interactions/redirection': ['clic RCS', 'clics RCS', 'm'],
  'interactions/subscribe': ['abonnement RCS', 'abonnements RCS', 'm'],
  'interactions/unsubscribe': ['désabonnement RCS', 'désabonnements RCS', 'm'],
  impression: ['affichage', 'affichages', 'm'],
  optout: ['désinscription', 'désinscriptions', 'f'],
}

const unitNames: Readonly<Record<CriteriaTimeUnit, readonly [string, string, Gender]>> = {
  minute: ['minute', 'minutes', 'f'],
  hour: ['heure', 'heures', 'f'],
  day: ['jour', 'jours', 'm'],
  week: ['semaine', 'semaines', 'f'],
  month: ['mois', 'mois', 'm'],
  year: ['année', 'années', 'f'],
}

function formatUnits({ value, unit }: CriteriaTimeAmount): string {
  const [singularName, pluralName] = unitNames[unit]
  return `${numberFormat.format(value)} ${value === 1 ? singularName : pluralName}`
}

/** `adjectives`: one of them for each gender, as it stands in the plural. */
function formatPeriod([masculine, feminine]: readonly [string, string], { value, unit }: CriteriaTimeAmount): string {
  const [singularName, pluralName, gender] = unitNames[unit]
  const adjective = gender === 'f' ? feminine : masculine
  if (value > 1) return `dans les ${numberFormat.format(value)} ${adjective} ${pluralName}`
  return `dans ${gender === 'f' ? 'la' : 'le'} ${adjective.slice(0, -1)} ${singularName}`
}

function formatDay(distance: number): string {
  if (distance === 0) return 'aujourd’hui'
  const amount: CriteriaTimeAmount = { value: Math.abs(distance), unit: 'day' }
  return distance > 0 ? `dans ${formatUnits(amount)}` : `il y a ${formatUnits(amount)}`
}

function formatSubject(compared: NamedComparand): string {
  if ('field' in compared) return `dont ${compared.field}`
  return compared.own === 'creationDate' ? 'dont la date de création' : 'dont la date de dernière modification'
}

function formatCount(
  { least, most, outside }: NamedCountRange,
  [singularNoun, many, gender]: readonly [string, string, Gender],
): string {
  const noun = (count: number) => `${numberFormat.format(count)} ${count < 2 ? singularNoun : many}`
  if (outside)
    return most === least
      ? `tout autre nombre que ${noun(least)}`
      : `moins de ${noun(least)} ou plus de ${noun(most ?? least)}`
  if (most === undefined) return `au moins ${noun(least)}`
  if (most === 0) return `${gender === 'f' ? 'aucune' : 'aucun'} ${singularNoun}`
  if (most === least) return `exactement ${noun(least)}`
  return least === 0 ? `au plus ${noun(most)}` : `de ${numberFormat.format(least)} à ${noun(most)}`
}

export const frenchCriteriaLanguage: CriteriaLanguage = {
  locale: 'fr',
  contacts: 'Les contacts',
  every: 'Tous les contacts',
  nobody: 'Aucun contact',
  sentence: (clause, parent) =>
    `${clause}${parent === undefined ? '' : `, parmi les membres de ${frenchCriteriaLanguage.quoted(parent)}`}.`,
  quoted: (name) => `« ${name} »`,
  and: ' et ',
  or: ' ou ',
  not: (clause) => `qui ne sont pas parmi ceux ${clause}`,
  list: (values, hiddenCount) =>
    `${values.join(', ')}${hiddenCount > 0 ? ` et ${numberFormat.format(hiddenCount)} de plus` : ''}`,
  comparison: (compared, operator, value) => {
    const isListField = 'isList' in compared && compared.isList
    const verb =
      isListField && operator === 'in'
        ? 'contient l’un de'
        : isListField && operator === 'notIn'
          ? 'ne contient aucun de'
          : operatorWords[operator]
    return `${formatSubject(compared)} ${verb ?? operator}${value === '' ? '' : ` ${value}`}`
  },
  anniversary: (compared, { from, to }) => {
    const name =
      'field' in compared ? compared.field : compared.own === 'creationDate' ? 'la création' : 'la modification'
    const dayText = from === to ? formatDay(from) : `entre ${formatDay(from)} et ${formatDay(to)}`
    return `dont l’anniversaire de ${name} tombe ${dayText}`
  },
  range: (from, to) => `entre ${from} et ${to}`,
  ago: (amount) => `il y a ${formatUnits(amount)}`,
  ahead: (amount) => `dans ${formatUnits(amount)}`,
  last: (amount) => formatPeriod(['derniers', 'dernières'], amount),
  next: (amount) => formatPeriod(['prochains', 'prochaines'], amount),
  since: (date) => `à partir du ${date}`,
  until: (date) => `avant le ${date}`,
  fromTo: (start, end) => `du ${start} jusqu’avant le ${end}`,
  segment: (name, isIn) =>
    `qui ${isIn ? 'sont' : 'ne sont pas'} dans le segment ${frenchCriteriaLanguage.quoted(name)}`,
  redList: (channel) =>
    channel === 'any'
      ? 'qui sont sur une liste d’exclusion'
      : `qui sont sur la liste d’exclusion ${redListNouns[channel]}`,
  bounce: (field, flags) =>
    `qui ont une marque de rebond${flags ? ` (${flags.map((flag) => bounceFlagNouns[flag]).join(', ')})` : ''}${field === undefined ? '' : ` sur ${field}`}${flags ? '' : ' qui arrête les envois'}`,
  events: ({ kind, channel, actions, count, robots }, span) => {
    const countText = formatCount(count, eventNouns[kind])
    const channelText = channel === undefined ? '' : ` ${channelPhrases[channel]}`
    const actionsText = actions === undefined ? '' : ` de ${frenchCriteriaLanguage.list(actions, 0)}`
    const verb = count.most === 0 && !count.outside ? 'n’ont eu' : 'ont eu'
    return `qui ${verb} ${countText}${channelText}${actionsText}${span === '' ? '' : ` ${span}`}${robots ? ', machines comprises' : ''}`
  },
  device: (application) =>
    `qui ont un appareil${application === undefined ? '' : ` de l’application ${frenchCriteriaLanguage.quoted(application)}`}`,
}
