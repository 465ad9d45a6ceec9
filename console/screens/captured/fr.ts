import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  about:
    'Les 200 derniers messages de ce compte qui ont été capturés au lieu d’être envoyés. Ils n’ont atteint personne.',
  all: 'Tous',
  attachments: 'Pièces jointes',
  away: 'Les messages capturés ne sont pas affichés ici',
  awayWhy:
    'Cette installation est en production, où seuls les destinataires peuvent voir leurs messages. Pour lire les messages capturés, réglez STENTOR_MODE sur development.',
  back: 'Tous les messages capturés',
  bytes: { one: '{count} octet', other: '{count} octets' },
  channel: 'Canal',
  choose: 'Choisissez un message pour le lire ici.',
  confidential: 'visible des seuls opérateurs',
  confidentialWhy: 'Il donne accès à un compte : une invitation, ou un lien pour définir un mot de passe.',
  email: 'E-mail',
  empty: 'Aucun message capturé pour l’instant',
  emptyWhy:
    'Tant qu’un canal n’a pas de passerelle, ses messages sont capturés ici et n’atteignent personne. Envoyez un test pour en voir un.',
  from: 'De',
  header: 'En-tête',
  headers: 'En-têtes',
  list: 'Messages capturés',
  message: 'Message',
  noneFound: 'Aucun message capturé ne correspond à votre recherche.',
  nothing: '(sans objet)',
  notification: 'Push',
  rcs: 'RCS',
  search: 'Adresse, numéro ou objet',
  sendTest: 'Envoyer un test',
  sms: 'SMS',
  source: 'Source',
  stamp: 'Empreinte',
  title: 'Messages capturés',
  to: 'À',
  value: 'Valeur',
  views: 'Parties du message',
  when: 'Capturé',
} satisfies TranslatedStrings<typeof en>
