import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  attachment: 'Une pièce jointe n’a pas pu être récupérée',
  bounce: 'Des messages à cette adresse sont revenus en erreur',
  capping: 'La limite de messages du workflow est atteinte',
  configuration: 'Le fournisseur a refusé les réglages de la passerelle',
  consent: 'Le consentement manque',
  country: 'Le pays du numéro est exclu',
  deleted: 'Le message a été supprimé',
  device: 'Aucun appareil actif n’accepte les notifications',
  duplicate: 'Un autre contact a la même adresse',
  empty: 'Le contact n’a pas d’adresse',
  expired: 'Le message a expiré avant son envoi',
  gone: 'Le contact a été supprimé',
  invalid: 'L’adresse n’est pas valide',
  listed: 'Le contact s’est désinscrit',
  optedOut: 'Les notifications sont désactivées',
  policy: 'Le contenu exclut ce contact',
  pressure: 'Limite de pression marketing atteinte',
  render: 'Le message n’a pas pu être généré',
} satisfies TranslatedStrings<typeof en>
