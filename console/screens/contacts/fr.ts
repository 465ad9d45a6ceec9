import type { Translated } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  bounced: 'En erreur',
  bouncedHint: 'Des messages à cette adresse sont revenus. Rien ne lui est envoyé tant que la marque demeure.',
  created: 'Création',
  empty: 'Vos contacts seront ici',
  emptyWhy:
    'Toutes les personnes à qui vous écrivez, avec ce que vous savez d’elles, ce qu’elles ont reçu et ce qu’elles ont fait. Importez un fichier pour commencer ; qui s’est désabonné ailleurs le reste.',
  label: 'Contacts',
  noMatch: 'Aucun contact ne correspond',
  noMatchWhy: 'Cherchez une adresse, un numéro ou un identifiant entier, ou une partie d’au moins trois caractères.',
  reset: 'Afficher tous les contacts',
  search: 'Adresse, numéro ou identifiant',
  segment: 'Segment',
  state: 'État',
  title: 'Contacts',
  unsubscribed: 'Désabonné',
  unsubscribedHint: 'Sur la liste rouge : aucun message marketing n’est envoyé à cette adresse.',
  updated: 'Modification',
} satisfies Translated<typeof en>
