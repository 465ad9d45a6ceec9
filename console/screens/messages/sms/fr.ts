import type { TranslatedStrings } from '../../../text/catalogue.ts'
import type en from './en.ts'

export default {
  alphabet: 'Alphabet',
  alphabet1: 'Toujours GSM-7 : les autres caractères sont remplacés par des caractères proches',
  alphabet2: 'Toujours Unicode',
  alphabet3: 'GSM-7 si tous les caractères y figurent, sinon Unicode',
  analyser: 'Analyse web',
  analyserWhy: 'Ajoute ses paramètres aux adresses des liens.',
  at: 'ligne {line}, caractère {column}',
  breaks: {
    one: 'Un caractère n’est pas dans GSM-7 : {now} au lieu de {plain}.',
    other: '{count} caractères ne sont pas dans GSM-7 : {now} au lieu de {plain}.',
  },
  breaksTemplate: {
    one: 'Un caractère n’est pas dans GSM-7 : le message peut demander plus de parties.',
    other: '{count} caractères ne sont pas dans GSM-7 : le message peut demander plus de parties.',
  },
  breaksNothing: {
    one: 'Un caractère n’est pas dans GSM-7, sans surcoût ici.',
    other: '{count} caractères ne sont pas dans GSM-7, sans surcoût ici.',
  },
  countries: 'Pays',
  countriesWhy: 'Les numéros d’autres pays sont ignorés. Laissez vide pour tous les pays.',
  dropped: 'supprimé',
  gsm7: 'GSM-7',
  more: { one: 'et {count} autre', other: 'et {count} autres' },
  name: 'Nom',
  noLookAlike: 'n’a pas de caractère proche : retirez-le',
  profile: 'Profil d’expéditeur',
  replaceAll: 'Tout remplacer',
  replaced: {
    one: 'Un caractère est remplacé par un caractère proche',
    other: '{count} caractères sont remplacés par des caractères proches',
  },
  route: 'Route',
  route1: 'Standard : un numéro auquel on peut répondre',
  route2: 'Premium : un nom d’expéditeur',
  segments: { one: '{count} partie', other: '{count} parties' },
  sender: 'Expéditeur',
  senderHelp:
    'De 3 à 11 lettres, chiffres et espaces, ou de 3 à 15 chiffres. Laissez vide pour l’expéditeur du profil.',
  setting: 'Envoi',
  takes: '{units} unités sur {room}, {segments}, {alphabet}',
  takesTemplate: 'L’aperçu indique la longueur pour un contact.',
  text: 'Texte',
  to: 'devient',
  ucs2: 'Unicode',
} satisfies TranslatedStrings<typeof en>
