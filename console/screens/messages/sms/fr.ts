import type { Translated } from '../../../text/catalogue.ts'
import type en from './en.ts'

export default {
  alphabet: 'Alphabet',
  alphabet1: 'Toujours GSM-7 : des lettres proches remplacent les autres',
  alphabet2: 'Toujours Unicode',
  alphabet3: 'GSM-7 quand toutes les lettres y sont, sinon Unicode',
  at: 'ligne {line}, caractère {column}',
  becomes: 'devient {other}',
  breaks: {
    one: 'Une lettre n’est pas dans GSM-7 : {now} au lieu de {plain}.',
    other: '{count} lettres ne sont pas dans GSM-7 : {now} au lieu de {plain}.',
  },
  breaksNothing: {
    one: 'Une lettre n’est pas dans GSM-7 ; elle ne coûte rien ici.',
    other: '{count} lettres ne sont pas dans GSM-7 ; elles ne coûtent rien ici.',
  },
  dropped: 'supprimé',
  gsm7: 'GSM-7',
  more: { one: 'et {count} autre', other: 'et {count} autres' },
  noLookAlike: 'n’a pas de lettre proche : retirez-la',
  name: 'Nom',
  purpose: 'But',
  marketing: 'Marketing : dit comment se désinscrire',
  replaceAll: 'Les remplacer toutes',
  replaced: {
    one: 'Une lettre est remplacée par une lettre proche',
    other: '{count} lettres sont remplacées par des lettres proches',
  },
  route: 'Route',
  route1: 'Standard : un numéro auquel on peut répondre',
  route2: 'Premium : un expéditeur nommé',
  segments: { one: '{count} segment', other: '{count} segments' },
  sender: 'Expéditeur',
  senderHelp: '3 à 11 lettres, chiffres et espaces, ou 3 à 15 chiffres ; vide : celui du profil.',
  service: 'Service',
  setting: 'Envoi',
  takes: '{units} unités sur {room}, {segments}, {alphabet}',
  takesTemplate: 'L’aperçu compte ce que reçoit un contact.',
  text: 'Texte',
  ucs2: 'Unicode',
} satisfies Translated<typeof en>
