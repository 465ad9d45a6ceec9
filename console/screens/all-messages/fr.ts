import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  allChannels: 'Tous les canaux',
  campaigns: 'Campagnes',
  campaignsEmpty: 'Aucune campagne pour l’instant',
  campaignsEmptyWhy:
    'Une campagne est un message adressé à de nombreux contacts. Rédigez-la, choisissez ses destinataires, puis envoyez-la maintenant ou plus tard.',
  channel: 'Canal',
  clicked: 'Clics',
  copied: '{name} a été créé',
  created: 'Création',
  sent: 'Envoyés',
  duplicate: 'Dupliquer {name}',
  email: 'E-mail',
  name: 'Nom',
  newCampaign: 'Nouvelle campagne',
  newOnDemand: 'Nouveau message à la demande',
  noMatch: 'Aucun résultat pour ces filtres',
  notification: 'Push',
  onDemand: 'Messages à la demande',
  onDemandEmpty: 'Aucun message à la demande pour l’instant',
  onDemandEmptyWhy:
    'Un message à la demande est envoyé à un seul contact par votre programme ou par un workflow : un reçu, par exemple.',
  opened: 'Ouvertures',
  phase_active: 'Active',
  phase_draft: 'Brouillon',
  phase_inactive: 'Inactive',
  phase_sending: 'Envoi en cours',
  phase_sent: 'Envoyé',
  phase_testing: 'Testé',
  phase_validated: 'Validé',
  rcs: 'RCS',
  search: 'Rechercher par nom',
  sms: 'SMS',
  start: 'Début',
  state: 'État',
} satisfies TranslatedStrings<typeof en>
