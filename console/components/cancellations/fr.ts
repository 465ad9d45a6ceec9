import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  attachment: 'Une pièce jointe n’a pas pu être lue',
  bounce: 'Des messages à cette adresse sont revenus',
  capping: 'Un scénario lui a assez écrit',
  configuration: 'La passerelle a refusé nos réglages',
  consent: 'Son consentement manque',
  country: 'Le numéro est d’un pays exclu',
  deleted: 'Le message a été supprimé',
  device: 'Aucun appareil en service qui accepte les notifications',
  duplicate: 'Un autre contact a la même adresse',
  empty: 'Aucune adresse connue',
  expired: 'Son délai était passé',
  gone: 'Le contact n’existe plus',
  invalid: 'On ne peut pas écrire à cette adresse',
  listed: 'Sur la liste rouge',
  optedOut: 'Les notifications sont coupées',
  policy: 'Le contenu lui-même a écarté ce contact',
  pressure: 'Pression marketing : il en a reçu assez',
  render: 'Le message n’a pas pu être composé',
} satisfies TranslatedStrings<typeof en>
