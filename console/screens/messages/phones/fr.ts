import type { Translated } from '../../../text/catalogue.ts'
import type en from './en.ts'

export default {
  address: 'Adresse',
  another: 'Un autre numéro',
  anotherHelp: 'Votre propre téléphone, par exemple : +33612345678. Les tests y arrivent au lieu d’aller aux contacts.',
  cancelled: 'Ce contact ne reçoit rien',
  contactField: 'Champ du contact',
  insertLink: 'Insérer le lien',
  linkName: 'Nom dans les rapports',
  noTestSegment: 'Aucun segment n’est encore un segment de test : un segment le devient dans sa définition.',
  notRendered: 'Impossible de l’afficher',
  notSent: 'non envoyé : {reason}',
  proofs: { one: '{count} test est en route', other: '{count} tests sont en route' },
  saveFirst: 'Un test porte sur ce qui est enregistré.',
  segment: 'Segment de test',
  sendProof: 'Envoyer un test',
  shortLink: 'Lien court',
  shortLinkWhy: 'Suivi par une adresse courte à vous, pour compter les clics.',
  testStarted: 'Le test a commencé',
} satisfies Translated<typeof en>
